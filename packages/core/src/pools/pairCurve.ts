import { envelopeOf } from '../math/envelope.js'
import { inputAtOf, limitOf, outOf, type Pieces, priceOf } from '../math/pieces.js'
import {
  balanceOf,
  reserveAt,
  type StableReserves,
  stableInputAt,
  stableOut,
  stablePrice,
} from '../math/solidlyCurve.js'
import type { Curve, Measures } from './family.js'

/** A pair in floats: reserves in wei, γ = 1 − fee, the largest possible reserve and the largest input. */
export type PairReserves = {
  readonly reserveIn: number
  readonly reserveOut: number
  readonly γ: number
  readonly maxReserve: number
  readonly maxIn?: number
}

// Lowers the limit by a few units of float precision, so that rounding never exceeds it; more of them
// where it comes from the root of a polynomial.
const ROOM = 1 - 2 ** -50
const ROOT_ROOM = 1 - 2 ** -46

// A stable pair floors its fee (at most one wei) and the products of its invariant. If each reserve
// is at least one token, a second wei of input covers the latter.
const STABLE_EXTRA_WEI = 2

/**
 * A constant-product pair as a gain function: one piece.
 *
 *   h(x) = γ·x·Y / (X + γ·x)
 */
export function constantProductCurve(pair: PairReserves): Curve {
  const { reserveIn: X, reserveOut: Y, γ } = pair
  const isEmpty = X === 0 || Y === 0
  const limit = limitOfPair(pair)
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

function limitOfPair({ reserveIn, maxReserve, maxIn = Number.POSITIVE_INFINITY }: PairReserves) {
  return Math.max(0, Math.min(maxReserve * ROOM - reserveIn, maxIn * ROOM))
}

/**
 * The measures of {@link constantProductCurve} without its arrays: the price falls to the part
 * 1/r after γ·x = X·(√r − 1).
 */
export function measureConstantProduct(pair: PairReserves, fall: number): Measures {
  const { reserveIn: X, reserveOut: Y, γ } = pair
  if (X === 0 || Y === 0) return { spot: 0, depthIn: 0, depthOut: 0 }
  const spot = γ * (Y / X)
  const r = spot / (spot * (1 - fall))
  const depthIn = Math.min((X * (r - 1)) / (1 + Math.sqrt(r)) / γ, limitOfPair(pair))
  const γx = γ * depthIn
  return { spot, depthIn, depthOut: (γx * (Y / X)) / (1 + γx / X) }
}

// The pair's own Newton iteration computes in uint256: a reserve times 10¹⁸, and products of four
// reserves in 18 decimals, times 10¹⁸ again.
const MAX_SCALED = 2 ** 256 / 1e18
const MAX_PRODUCT = 2 ** 256 / 1e36

/** The limits of a stable pair, in addition to its reserves. */
export type StablePair = PairReserves & {
  readonly unitIn: number
  readonly unitOut: number
  /** The part of an input that stays in the pair until its reserves are checked; 1 by default. */
  readonly kept?: number
  /** True if Newton's method holds the whole invariant in a uint256, or each of its two terms. */
  readonly isWholeInvariant: boolean
}

/**
 * A stable pair as a gain function, in closed form. Its pieces are an envelope from above, built on
 * first use.
 *
 *   h(x) = stableOut(γ·x)
 */
export function stablePairCurve(pair: StablePair): Curve {
  const { γ, unitIn, unitOut } = pair
  const reserves = { X: pair.reserveIn / unitIn, Y: pair.reserveOut / unitOut }
  const limit = limitOfStablePair(pair, reserves)
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

/** The largest input: its end is that of the pair, because a bound on routes relies on it. */
function limitOfStablePair(pair: StablePair, reserves: StableReserves): number {
  const { γ, unitIn, maxReserve, kept = 1 } = pair
  const { X, Y } = reserves
  if (!(X > 0 && Y > 0)) return 0
  const held = (maxReserve / unitIn - X) / kept
  // The floored fee leaves up to a wei more than γ·x.
  const computed = Math.min(MAX_SCALED / unitIn, largestReserve(reserves, pair)) - X - 1 / unitIn
  return Math.max(0, Math.min(held, computed / γ) * ROOM) * unitIn
}

/**
 * The x that Newton's method can hold, from y = Y downwards: x³, 3xY² and, by the invariant, either
 * x³Y, xY³ and the growth of their sum, or their sum.
 */
function largestReserve(
  { X, Y }: StableReserves,
  { isWholeInvariant }: Pick<StablePair, 'isWholeInvariant'>,
): number {
  const invariant = X * Y * (X * X + Y * Y)
  if (invariant >= MAX_PRODUCT || Y ** 3 >= MAX_PRODUCT) return 0
  const either = Math.min(Math.cbrt(MAX_PRODUCT), MAX_PRODUCT / (3 * Y * Y))
  if (isWholeInvariant) return Math.min(either, reserveAt(Y, MAX_PRODUCT)) * ROOT_ROOM
  const terms = Math.min(Math.cbrt(MAX_PRODUCT / Y), MAX_PRODUCT / Y ** 3)
  return Math.min(either, terms, reserveAt(Y, MAX_PRODUCT + invariant)) * ROOT_ROOM
}
