import { envelopeOf } from '../math/envelope.js'
import { inputAtOf, limitOf, outOf, type Pieces, priceOf } from '../math/pieces.js'
import { balanceOf, stableInputAt, stableOut, stablePrice } from '../math/solidlyCurve.js'
import type { Curve } from './family.js'

/** A pair over floats: reserves in wei, γ = 1 − fee, and the most a reserve can hold. */
export type PairReserves = {
  readonly reserveIn: number
  readonly reserveOut: number
  readonly γ: number
  readonly maxReserve: number
}

// Floats round, so the last digits of a reserve's range are left unpromised.
const ROOM = 1 - 2 ** -50

// A stable pair floors its fee, a wei at most, and the products of its invariant: while a side holds a
// token or more, a second wei of input makes up for those.
const STABLE_EXTRA_WEI = 2

/**
 * A constant-product pair as a gain function: one piece.
 *
 *   h(x) = γ·x·Y / (X + γ·x)
 */
export function constantProductCurve(pair: PairReserves): Curve {
  const { reserveIn: X, reserveOut: Y, γ } = pair
  const isEmpty = X === 0 || Y === 0
  const limit = Math.max(0, pair.maxReserve * ROOM - X)
  const end = (γ * limit * Y) / (X + γ * limit)
  const pieces: Pieces = {
    γ,
    startIn: Float64Array.from(isEmpty ? [0] : [0, limit]),
    startOut: Float64Array.from(isEmpty ? [0] : [0, end]),
    price: Float64Array.from(isEmpty ? [] : [Y / X]),
    reserveIn: Float64Array.from(isEmpty ? [] : [X]),
  }
  return {
    out: (x) => outOf(pieces, x),
    price: (x) => priceOf(pieces, x),
    inputAt: (p) => inputAtOf(pieces, p),
    limit: limitOf(pieces),
    pieces,
  }
}

// Every intermediate of the pair's own Newton iteration must fit a uint256: a reserve times 10¹⁸;
// x³ and the invariant at the new x and the old y, in 18 decimals and times 10¹⁸ once more.
const MAX_SCALED = 2 ** 256 / 1e18
const MAX_INVARIANT = 2 ** 256 / 1e36

/**
 * A stable pair as a gain function, in closed form; its pieces, which are an envelope from above,
 * are built when first asked for.
 *
 *   h(x) = stableOut(γ·x)
 */
export function stablePairCurve(
  pair: PairReserves & { readonly unitIn: number; readonly unitOut: number },
): Curve {
  const { γ, unitIn, unitOut } = pair
  const reserves = { X: pair.reserveIn / unitIn, Y: pair.reserveOut / unitOut }
  const { X, Y } = reserves
  const most = Math.min(pair.maxReserve / unitIn, MAX_SCALED / unitIn, largestReserve(Y))
  const limit = X > 0 && Y > 0 ? Math.max(0, (most - X) * ROOM) * unitIn : 0
  const scale = (γ * unitOut) / unitIn
  const inside = (x: number) => (γ * Math.min(Math.max(x, 0), limit)) / unitIn
  const price = (x: number) => (limit === 0 ? 0 : scale * stablePrice(reserves, inside(x)))
  let built: Pieces | undefined
  return {
    out: (x) => (limit === 0 ? 0 : unitOut * stableOut(reserves, inside(x))),
    price,
    inputAt: (p) =>
      limit === 0 ? 0 : Math.min(limit, (unitIn / γ) * stableInputAt(reserves, p / scale)),
    limit,
    extraIn: STABLE_EXTRA_WEI / γ,
    get pieces() {
      built ??= envelopeOf({
        ...{ price, limit, reserveIn: pair.reserveIn },
        far: 8 * Math.max(pair.reserveIn, balanceOf(reserves) * unitIn),
      })
      return built
    },
  }
}

// Where neither x³, nor x³·Y, nor x·Y³ passes half of the most: within a factor of the true end.
function largestReserve(Y: number): number {
  const most = MAX_INVARIANT / 2
  return Math.min(Math.cbrt(most), Math.cbrt(most / Y), most / Y ** 3)
}
