import { type Line, piecesOfLines } from '../math/lines.js'
import { inputAtOf, limitOf, outOf, type Pieces, priceOf } from '../math/pieces.js'
import type { Curve } from './family.js'

/**
 * The curve made of the pieces that `build` returns. They are built when first asked for more than
 * the price of the first wei, `spot` after fees: most edges never are. `undefined` where that price
 * is not known before.
 */
export function piecesCurve(spot: number | undefined, build: () => Pieces): Curve {
  let built: Pieces | undefined
  const pieces = () => {
    built ??= build()
    return built
  }
  return {
    out: (x) => outOf(pieces(), x),
    price: (x) => (x <= 0 && spot !== undefined ? spot : priceOf(pieces(), x)),
    inputAt: (p) => (spot !== undefined && p >= spot ? 0 : inputAtOf(pieces(), p)),
    get limit() {
      return limitOf(pieces())
    },
    get pieces() {
      return pieces()
    },
  }
}

/** The curve of the straight lines that `build` returns: the hull of a pool that need not be concave. */
export function hullCurve(build: () => readonly Line[]): Curve {
  const curve = piecesCurve(undefined, () => piecesOfLines(build()))
  return Object.assign(curve, { isHull: true as const })
}
