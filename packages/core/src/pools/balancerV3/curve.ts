// A Balancer V3 pool as a concave gain function in closed form, with an envelope of constant-product
// pieces from above for the solver.

import { envelopeOf } from '../../math/envelope.js'
import type { Pieces } from '../../math/pieces.js'
import {
  pairBalance,
  pairOf,
  pairOut,
  pairPrice,
  pairSensitivity,
} from '../../math/stableSwapCurve.js'
import { steepEnvelopeOf } from '../../math/steepEnvelope.js'
import type { Curve, Direction } from '../family.js'
import { eclpGain } from './eclpCurve.js'
import { isCurrent, isEmpty, liveBalances } from './exact.js'
import type { BalancerV3Pool, StableForm, WeightedForm } from './pool.js'
import { AMP_PRECISION, ampAt, MAX_IMBALANCE, stableInvariant } from './stable.js'

const ONE = 1e18
const MAX_IN_RATIO = 0.3
// The largest balance that the vault can store.
const MAX_BALANCE = 2 ** 128
// A limit in floats is this much below the one in integers.
const EARLY = 1 - 1e-9
// The price by which the units lost to rounding are divided is not less than this.
const LEAST_PRICE = 1e-6

/** A gain function in the common unit of 18 decimals, after the fee. */
type Gain = {
  readonly out: (amountIn: number) => number
  readonly price: (amountIn: number) => number
  /** The input at which the price has fallen this far, if there is a closed form. */
  readonly inputAt?: (price: number) => number
  readonly limit: number
  readonly balanceIn: number
  readonly extraIn?: number
  readonly isSteep: boolean
}

/** The pool in one direction as a gain function, in wei. */
export function toCurve(pool: BalancerV3Pool, direction: Direction): Curve {
  const gain = gainOf(pool, direction)
  if (!gain || !(gain.limit > 0)) {
    return { out: () => 0, price: () => 0, inputAt: () => 0, limit: 0, pieces: NONE }
  }
  const { decimalScalingFactors: scales, tokenRates: rates } = pool
  const [unitIn, unitOut] = [direction.in, direction.out].map(
    (k) => (Number(scales[k]!) * Number(rates[k]!)) / ONE,
  ) as [number, number]
  const γ = 1 - feeRate(pool)
  // What one wei of the input is in the formula.
  const scale = γ * unitIn
  const limit = Math.min((gain.limit / scale) * EARLY, MAX_BALANCE / Math.max(1, unitIn))
  const inside = (x: number) => scale * Math.min(Math.max(x, 0), limit)
  const price = (x: number) => (scale / unitOut) * gain.price(inside(x))
  const { inputAt } = gain
  let built: Pieces | undefined
  return {
    out: (x) => gain.out(inside(x)) / unitOut,
    price,
    inputAt: inputAt
      ? (p) => Math.min(limit, inputAt((p * unitOut) / scale) / scale)
      : (p) => lastAbove(price, p, limit),
    limit,
    ...(gain.extraIn !== undefined && { extraIn: gain.extraIn / scale }),
    get pieces() {
      const reserveIn = gain.balanceIn / scale
      built ??= gain.isSteep
        ? steepEnvelopeOf({ price, limit, reserveIn })
        : envelopeOf({ price, limit, reserveIn, far: limit })
      return built
    },
  }
}

/** The part of the input that is the fee, the same for every amount. */
export function feeRate({ swapFee }: BalancerV3Pool): number {
  return Number(swapFee) / ONE
}

const NONE: Pieces = {
  ...{ γ: 1, startIn: Float64Array.of(0), startOut: Float64Array.of(0) },
  ...{ price: Float64Array.of(), reserveIn: Float64Array.of() },
}

function gainOf(pool: BalancerV3Pool, direction: Direction): Gain | undefined {
  if (!isCurrent(pool) || isEmpty(pool)) return undefined
  const live = liveBalances(pool)
  const { form, quotedAt = 0n } = pool
  switch (form.kind) {
    case 'weighted':
      return weightedGain(form, direction, live)
    case 'stable':
      return stableGain(form, direction, { live, time: quotedAt })
    case 'eclp': {
      const gain = eclpGain(form, direction, live)
      return gain && { ...gain, isSteep: true }
    }
  }
}

/**
 * out = B_o·(1 − (B_i/(B_i + a))^w), w = w_i/w_o. Its inverse is in closed form too:
 * a = B_i·((w·B_o/(p·B_i))^(1/(w + 1)) − 1).
 */
function weightedGain(
  { normalizedWeights: weights, minTokenBalances }: WeightedForm,
  { in: i, out: o }: Direction,
  live: readonly bigint[],
): Gain | undefined {
  const [X, Y] = [Number(live[i]!), Number(live[o]!)]
  const [leastIn, leastOut] = [i, o].map((k) => Number(minTokenBalances?.[k] ?? 0n))
  if (!(X > 0 && Y > leastOut!) || X + 1 < leastIn!) return undefined
  const w = Number(weights[i]!) / Number(weights[o]!)
  const spot = (w * Y) / X
  // Until the balance of the token out is the least one.
  const untilLeast =
    leastOut === 0 ? Number.POSITIVE_INFINITY : X * ((Y / leastOut!) ** (1 / w) - 1)
  return {
    // expm1 and log1p keep the digits of a small input.
    out: (a) => -Y * Math.expm1(-w * Math.log1p(a / X)),
    price: (a) => spot * Math.exp(-(w + 1) * Math.log1p(a / X)),
    inputAt: (p) => (p >= spot ? 0 : X * Math.expm1(Math.log(spot / p) / (w + 1))),
    limit: Math.min(MAX_IN_RATIO * X, untilLeast),
    ...{ balanceIn: X, isSteep: false },
  }
}

function stableGain(
  form: StableForm,
  { in: i, out: o }: Direction,
  { live, time }: { readonly live: readonly bigint[]; readonly time: bigint },
): Gain | undefined {
  const amp = ampAt(form, time)
  const invariant = stableInvariant(live, amp)
  if (invariant === undefined || invariant === 0n) return undefined
  const [lowest, highest] = [live.reduce(lesser), live.reduce(greater)]
  if (highest / lowest >= MAX_IMBALANCE) return undefined
  const D = Number(invariant)
  const xp = live.map(Number)
  const ann = (Number(amp) / Number(AMP_PRECISION)) * xp.length
  const pair = pairOf(xp, { i, j: o, D, ann })
  const [least, most] = [Math.min(...xp) / D, Math.max(...xp) / D]
  // Only inputs that leave the pool within the largest imbalance.
  const ratio = (a: number) => {
    const [x, y] = [pair.x + a, pairBalance(pair, pair.x + a)]
    return Math.max(x / least, most / y, x / y)
  }
  const limit = lastAbove((a) => -ratio(a), -Number(MAX_IMBALANCE) * EARLY, Number(MAX_IMBALANCE))
  const units = 4 + 2 * pairSensitivity(pair, xp.length)
  return {
    out: (a) => D * pairOut(pair, a / D),
    price: (a) => pairPrice(pair, a / D),
    limit: limit * D,
    balanceIn: pair.x * D,
    // Newton's method ends within a unit of D and within one of y.
    extraIn: units / Math.max(pairPrice(pair, 0), LEAST_PRICE),
    isSteep: true,
  }
}

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** The input at which a falling price reaches `wanted`, within the limit, by bisection. */
function lastAbove(price: (x: number) => number, wanted: number, limit: number): number {
  if (limit === 0 || price(0) <= wanted) return 0
  if (price(limit) >= wanted) return limit
  let low = 0
  let high = limit
  // Halves the exponent first, because inputs span many orders of magnitude.
  for (let step = 0; step < 200 && high - low > high * 1e-15; step++) {
    const middle = low > 0 && high > 2 * low ? Math.sqrt(low) * Math.sqrt(high) : (low + high) / 2
    if (price(middle) > wanted) low = middle
    else high = middle
  }
  return low
}
