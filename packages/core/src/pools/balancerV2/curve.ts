// A Balancer V2 pool as a concave gain function in closed form, in the common unit of 18 decimals.

import { curveOfGain, type Gain, weightedGain } from '../../math/scaledGain.js'
import { pairOf, pairOut, pairPrice, pairSensitivity } from '../../math/stableSwapCurve.js'
import type { Curve, Direction } from '../family.js'
import {
  AMP_PRECISION,
  ampAt,
  isCurrent,
  isEmpty,
  liveBalances,
  stableInvariant,
  unitsOf,
} from './exact.js'
import type { BalancerV2Pool, ComposableStableForm } from './pool.js'

const ONE = 1e18
const MAX_IN_RATIO = 0.3
// The largest balance that the vault can store.
const MAX_BALANCE = 2 ** 112
// The largest input in units of D, and in units of 18 decimals: beyond, products exceed a uint256.
const MAX_PARTS = 1e8
const MAX_SCALED = 2 ** 120
// A limit in floats is this much below the one in integers.
const EARLY = 1 - 1e-9
// The price by which the units lost to rounding are divided is not less than this.
const MIN_PRICE = 1e-6

/** The pool in one direction as a gain function, in wei. */
export function toCurve(pool: BalancerV2Pool, direction: Direction): Curve {
  const units = unitsOf(pool).map((unit) => Number(unit) / ONE)
  const [unitIn, unitOut] = [units[direction.in]!, units[direction.out]!]
  const maxIn = Math.max(0, MAX_BALANCE - Number(pool.balances[direction.in]!)) * EARLY
  return curveOfGain(gainOf(pool, direction), { fee: feeRate(pool), unitIn, unitOut, maxIn })
}

/** The part of the input that is the fee, the same for every amount. */
export function feeRate({ swapFee }: BalancerV2Pool): number {
  return Number(swapFee) / ONE
}

function gainOf(pool: BalancerV2Pool, direction: Direction): Gain | undefined {
  const live = liveBalances(pool)
  if (!live || !isCurrent(pool) || isEmpty(pool)) return undefined
  const { form, quotedAt = 0n } = pool
  if (form.kind === 'composableStable') return stableGain(form, direction, { live, time: quotedAt })
  const { normalizedWeights: weights } = form
  const { in: i, out: o } = direction
  const [X, Y] = [Number(live[i]!), Number(live[o]!)]
  if (!(X > 0 && Y > 0)) return undefined
  const w = Number(weights[i]!) / Number(weights[o]!)
  return { ...weightedGain(X, Y, w), limit: MAX_IN_RATIO * X }
}

function stableGain(
  form: ComposableStableForm,
  { in: i, out: o }: Direction,
  { live, time }: { readonly live: readonly bigint[]; readonly time: bigint },
): Gain | undefined {
  const amp = ampAt(form, time)
  const invariant = stableInvariant(live, amp)
  if (invariant === undefined || invariant === 0n) return undefined
  const D = Number(invariant)
  const xp = live.map(Number)
  const ann = (Number(amp) / Number(AMP_PRECISION)) * xp.length
  const pair = pairOf(xp, { i, j: o, D, ann })
  const units = 4 + 2 * pairSensitivity(pair, xp.length)
  return {
    out: (a) => D * pairOut(pair, a / D),
    price: (a) => pairPrice(pair, a / D),
    limit: Math.max(0, Math.min(MAX_PARTS * D, MAX_SCALED - D)),
    balanceIn: pair.x * D,
    // Newton's method ends within a unit of D and within one of y.
    extraIn: units / Math.max(pairPrice(pair, 0), MIN_PRICE),
    isSteep: true,
  }
}
