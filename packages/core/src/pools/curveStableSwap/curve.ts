import type { Pieces } from '../../math/pieces.js'
import { inputsAround, NO_CURVE, NO_PIECES } from '../../math/scaledGain.js'
import {
  pairBalance,
  pairOf,
  pairOut,
  pairPrice,
  pairSensitivity,
  type StableSwapPair,
} from '../../math/stableSwapCurve.js'
import { steepEnvelopeOf } from '../../math/steepEnvelope.js'
import { curveOfHull, hullOfSwaps, onceEach } from '../coinCurve.js'
import type { Curve, Direction } from '../family.js'
import { isFresh } from '../sampled.js'
import { formOf, invariant, scaledBalances } from './exact.js'
import type { CurveStableSwapPool } from './pool.js'

const ONE = 1e18
const FEE_ONE = 1e10
// The largest input in units of D, and in units of 18 decimals: beyond, squares exceed a uint256.
const MAX_PARTS = 1e6
const MAX_SCALED = 2 ** 126
// The bounds of the products of the oracle's prices, and of the prices: a quarter of what the contract
// can compute and store.
const MAX_PRODUCT = 2 ** 254
const MAX_PRICE = 2 ** 126
// Units of the coin out that must be left: the contract divides by what it computes, within a unit.
const MIN_LEFT = 16
// The price by which the units lost to rounding are divided is not less than this.
const MIN_PRICE = 1e-6

/**
 * The pool in one direction as a gain function. Without a dynamic fee it is in closed form, and its
 * pieces are an envelope from above. A dynamic fee falls as a swap restores the balance, so the
 * function may not be concave; then it is its concave hull.
 */
export const toCurve = /* @__PURE__ */ onceEach(buildCurve)

function buildCurve(pool: CurveStableSwapPool, direction: Direction): Curve {
  const terms = termsOf(pool, direction)
  if (!terms) return NO_CURVE
  return pool.offpegFeeMultiplier > BigInt(FEE_ONE) ? hullOfTerms(terms) : staticCurve(terms)
}

/** The part of the output that is the fee, which depends on the balances if the pool is NG. */
export function feeRate(
  pool: CurveStableSwapPool,
  direction: Direction,
  amountIn: bigint,
): number | undefined {
  const terms = termsOf(pool, direction)
  if (!terms) return Number(pool.fee) / FEE_ONE
  return feeAt(terms, Math.min(Number(amountIn), terms.limit) / terms.unitIn)
}

/** A direction in floats: the pair in units of D, and the wei of each token in one D. */
type Terms = {
  readonly pair: StableSwapPair
  readonly unitIn: number
  readonly unitOut: number
  readonly limit: number
  readonly extraIn: number
  readonly fee: number
  readonly offpeg: number
}

function termsOf(pool: CurveStableSwapPool, { in: i, out: j }: Direction): Terms | undefined {
  const { sampledAt, quotedAt = -1n } = pool
  if (sampledAt !== undefined && !isFresh({ sampledAt, quotedAt })) return undefined
  const invariantD = invariant(pool)
  if (invariantD === undefined || invariantD === 0n) return undefined
  const D = Number(invariantD)
  const { amp, precision } = formOf(pool)
  const xp = scaledBalances(pool).map(Number)
  const ann = (Number(amp) / Number(precision)) * xp.length
  const pair = pairOf(xp, { i, j, D, ann })
  if (!(pair.y > 0 && pair.x > 0)) return undefined
  const [unitIn, unitOut] = [i, j].map((k) => (D * ONE) / Number(pool.rates[k]!))
  const parts = Math.max(0, Math.min(MAX_PARTS, MAX_SCALED / D - 1))
  const limit = unitIn! * (pool.isNg ? partsWithPrices(pair, { xp, D, i, parts }) : parts)
  // Newton's method ends within a unit of D and within one of y, and the fee loses less than one.
  const units = 4 + 2 * pairSensitivity(pair, xp.length)
  const spot = pairPrice(pair, 0)
  return {
    ...{ pair, unitIn: unitIn!, unitOut: unitOut!, limit },
    extraIn: ((units / D) * unitIn!) / Math.max(spot, MIN_PRICE),
    ...{ fee: Number(pool.fee) / FEE_ONE, offpeg: Number(pool.offpegFeeMultiplier) / FEE_ONE },
  }
}

/**
 * The input in units of D up to which a StableSwap-NG pool can compute and store its prices: they and
 * the products Dr = D^(n+1)/(nⁿ·Π x) and 10¹⁸·Dr·x₀/x_k grow as the coin out leaves.
 */
function partsWithPrices(
  pair: StableSwapPair,
  at: {
    readonly xp: readonly number[]
    readonly D: number
    readonly i: number
    readonly parts: number
  },
): number {
  const { xp, D, i, parts } = at
  const fullness = (a: number) => {
    const x = pair.x + a
    const y = pairBalance(pair, x)
    const product = (D * pair.K) / (pair.α * x * y)
    const first = i === 0 ? x * D : xp[0]!
    if (y * D < MIN_LEFT) return Number.POSITIVE_INFINITY
    const least = Math.min(y * D, ...xp)
    const base = first / pair.α
    const price = (ONE * (base + (product * first) / least)) / (base + product)
    // In the middle of the product, the coin in may not have been divided by yet.
    const largest = product * Math.max(D * Math.max(1, x), (ONE * first) / least, first)
    return Math.max(largest / MAX_PRODUCT, price / MAX_PRICE)
  }
  return inputsAround((a) => -fullness(a), -1, parts)[1]
}

function staticCurve({ pair, unitIn, unitOut, limit, extraIn, fee }: Terms): Curve {
  const inside = (x: number) => Math.min(Math.max(x, 0), limit) / unitIn
  const scale = ((1 - fee) * unitOut) / unitIn
  const price = (x: number) => (limit === 0 ? 0 : scale * pairPrice(pair, inside(x)))
  const reserveIn = pair.x * unitIn
  let built: Pieces | undefined
  return {
    out: (x) => (limit === 0 ? 0 : (1 - fee) * unitOut * pairOut(pair, inside(x))),
    price,
    inputAt: (p) => inputsAround(price, p, limit)[1],
    limit,
    extraIn,
    get pieces() {
      built ??= limit === 0 ? NO_PIECES : steepEnvelopeOf({ price, limit, reserveIn })
      return built
    },
  }
}

function hullOfTerms(terms: Terms): Curve {
  const { pair, unitIn, unitOut, limit, extraIn } = terms
  const ends = { limit, reserveIn: pair.x * unitIn }
  const hull = hullOfSwaps({ unitIn, unitOut, ...ends, swapAt: (a) => swapAt(terms, a) })
  return curveOfHull(hull, { ...ends, extraIn })
}

/** The fee of an input of a, in units of D. */
function feeAt(terms: Terms, a: number): number {
  return terms.offpeg <= 1 ? terms.fee : swapAt(terms, a).fee
}

/**
 * A swap with a dynamic fee, in units of D: the fee f = off·f₀ / ((off − 1)·4·r + 1) of the average
 * balances, with r = xa·ya / (xa + ya)², and the net output and marginal price (1 − f)·d′ − f′·d.
 */
function swapAt({ pair, fee: base, offpeg }: Terms, a: number) {
  const d = pairOut(pair, a)
  const slope = pairPrice(pair, a)
  const [xa, ya] = [pair.x + a / 2, pair.y - d / 2]
  const s = xa + ya
  const r = (xa * ya) / s ** 2
  const dr = (ya - xa * slope) / (2 * s ** 2) - (xa * ya * (1 - slope)) / s ** 3
  const divisor = (offpeg - 1) * 4 * r + 1
  const fee = (offpeg * base) / divisor
  const rise = (-fee * (offpeg - 1) * 4 * dr) / divisor
  return { fee, out: (1 - fee) * d, price: (1 - fee) * slope - rise * d }
}
