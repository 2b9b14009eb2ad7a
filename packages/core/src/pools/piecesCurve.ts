import { inputAtOf, limitOf, outOf, type Pieces, priceOf } from '../math/pieces.js'
import { type Line, piecesOfLines } from '../math/piecewiseLinear.js'
import type { Curve } from './family.js'

/**
 * The curve of the pieces that `build` returns. `spot` is the price of the first wei after fees, or
 * `undefined` if it is unknown. The pieces are built only if more than `spot` is needed, which is
 * never the case for most edges.
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

/**
 * The curve of the segments that `build` returns: the concave hull of a pool that may not be
 * concave.
 */
export function hullCurve(build: () => readonly Line[]): Curve {
  const curve = piecesCurve(undefined, () => piecesOfLines(build()))
  return Object.assign(curve, { isHull: true as const })
}
