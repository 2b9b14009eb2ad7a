// A Balancer V3 pool as a concave gain function in closed form, in the common unit of 18 decimals.

import { curveOfGain, type Gain, lastAbove, weightedGain } from '../../math/scaledGain.js'
import {
  pairBalance,
  pairOf,
  pairOut,
  pairPrice,
  pairSensitivity,
} from '../../math/stableSwapCurve.js'
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
const MIN_PRICE = 1e-6

/** The pool in one direction as a gain function, in wei. */
export function toCurve(pool: BalancerV3Pool, direction: Direction): Curve {
  const { decimalScalingFactors: scales, tokenRates: rates } = pool
  const [unitIn, unitOut] = [direction.in, direction.out].map(
    (k) => (Number(scales[k]!) * Number(rates[k]!)) / ONE,
  ) as [number, number]
  const maxIn = MAX_BALANCE / Math.max(1, unitIn)
  return curveOfGain(gainOf(pool, direction), { fee: feeRate(pool), unitIn, unitOut, maxIn })
}

/** The part of the input that is the fee, the same for every amount. */
export function feeRate({ swapFee }: BalancerV3Pool): number {
  return Number(swapFee) / ONE
}

function gainOf(pool: BalancerV3Pool, direction: Direction): Gain | undefined {
  if (!isCurrent(pool) || isEmpty(pool)) return undefined
  const live = liveBalances(pool)
  const { form, quotedAt = 0n } = pool
  switch (form.kind) {
    case 'weighted':
      return gainOfWeighted(form, direction, live)
    case 'stable':
      return stableGain(form, direction, { live, time: quotedAt })
    case 'eclp': {
      const gain = eclpGain(form, direction, live)
      return gain && { ...gain, isSteep: true }
    }
  }
}

function gainOfWeighted(
  { normalizedWeights: weights, minTokenBalances }: WeightedForm,
  { in: i, out: o }: Direction,
  live: readonly bigint[],
): Gain | undefined {
  const [X, Y] = [Number(live[i]!), Number(live[o]!)]
  const [leastIn, leastOut] = [i, o].map((k) => Number(minTokenBalances?.[k] ?? 0n))
  if (!(X > 0 && Y > leastOut!) || X + 1 < leastIn!) return undefined
  const w = Number(weights[i]!) / Number(weights[o]!)
  // Until the balance of the token out is the least one.
  const untilLeast =
    leastOut === 0 ? Number.POSITIVE_INFINITY : X * ((Y / leastOut!) ** (1 / w) - 1)
  return { ...weightedGain(X, Y, w), limit: Math.min(MAX_IN_RATIO * X, untilLeast) }
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
    extraIn: units / Math.max(pairPrice(pair, 0), MIN_PRICE),
    isSteep: true,
  }
}

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b)
