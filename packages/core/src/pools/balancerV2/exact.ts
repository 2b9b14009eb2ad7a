// Balancer V2 in integers: the pool takes the fee, scales the input, asks its formula and scales the
// answer back; the vault moves both balances by exactly these amounts.

import { mulDown, mulUp, ONE } from '../../math/fixedPoint.js'
import { TWO_256 } from '../../math/fullMath.js'
import { linearAt } from '../../math/linearRamp.js'
import { invariantOf } from '../../math/stableSwap.js'
import { balanceUp } from '../../math/stableSwapUp.js'
import { weightedProductOut } from '../../math/weightedProduct.js'
import type { Direction } from '../family.js'
import { isFresh } from '../sampled.js'
import type { BalancerV2Pool, ComposableStableForm } from './pool.js'

/** The vault packs a balance into 112 bits. */
const TWO_112 = 1n << 112n

/** The unit of the amplification parameter. */
export const AMP_PRECISION = 1_000n

/**
 * Exact output of `swap` of the vault for a given input; `0n` if it would revert.
 *
 *   a′ = a − ⌈a·swapFee⌉,  a₁₈ = ⌊a′·scale_i·rate_i⌋,  out = ⌊formula(a₁₈) / (scale_o·rate_o)⌋
 *   `onSwap` of `WeightedPool` and `ComposableStablePool`
 */
export function getAmountOut(pool: BalancerV2Pool, direction: Direction, amountIn: bigint): bigint {
  const { balances, swapFee } = pool
  const { in: i, out: o } = direction
  if (amountIn <= 0n || balances[i]! + amountIn >= TWO_112 || !isCurrent(pool)) return 0n
  const units = unitsOf(pool)
  const traded = (amountIn - mulUp(amountIn, swapFee)) * units[i]!
  const live = liveBalances(pool)
  if (!live || traded >= TWO_256) return 0n
  const bought = formulaOut(pool, { i, o, live, amountIn: traded / ONE })
  if (bought === undefined || bought * ONE >= TWO_256) return 0n
  const amountOut = (bought * ONE) / units[o]!
  return amountOut > balances[o]! ? 0n : amountOut
}

/** The pool after that swap; the whole fee stays in the balance of the token in. */
export function applySwap(
  pool: BalancerV2Pool,
  direction: Direction,
  amountIn: bigint,
): BalancerV2Pool {
  const amountOut = getAmountOut(pool, direction, amountIn)
  if (amountOut === 0n) return pool
  const balances = pool.balances.slice()
  balances[direction.in]! += amountIn
  balances[direction.out]! -= amountOut
  return { ...pool, balances }
}

/** Returns whether too few tokens have a balance: two of a weighted pool, all of a stable one. */
export function isEmpty({ balances, form }: BalancerV2Pool): boolean {
  const missing = balances.filter((balance) => balance === 0n).length
  return form.kind === 'weighted' ? missing > balances.length - 2 : missing > 0
}

type ScaledSwap = {
  readonly i: number
  readonly o: number
  readonly live: readonly bigint[]
  readonly amountIn: bigint
}

/** Returns the output by the pool's formula, in the common unit; `undefined` if it reverts. */
function formulaOut(pool: BalancerV2Pool, swap: ScaledSwap): bigint | undefined {
  const { form, quotedAt = 0n } = pool
  const { i, o, live, amountIn } = swap
  if (form.kind === 'composableStable') return stableOut(ampAt(form, quotedAt), swap)
  const [weightIn, weightOut] = [form.normalizedWeights[i]!, form.normalizedWeights[o]!]
  const [balanceIn, balanceOut] = [live[i]!, live[o]!]
  if (balanceIn === 0n) return undefined
  return weightedProductOut({ balanceIn, weightIn, balanceOut, weightOut, amountIn })
}

/** `StableMath._calcOutGivenIn`: B_o − B_o′ − 1 at the invariant D of the balances before the swap. */
function stableOut(amp: bigint, { i, o, live, amountIn }: ScaledSwap): bigint | undefined {
  const D = stableInvariant(live, amp)
  if (D === undefined || D === 0n) return undefined
  const after = live.with(i, live[i]! + amountIn)
  const y = balanceUp(after, { o, D, amp, precision: AMP_PRECISION, order: 'divideFirst' })
  return y === undefined || y + 1n > live[o]! ? undefined : live[o]! - y - 1n
}

/** The invariant D of balances in the common unit; `undefined` if the contract reverts. */
export function stableInvariant(live: readonly bigint[], amp: bigint): bigint | undefined {
  return invariantOf(live, { amp, precision: AMP_PRECISION, rounding: 'eachCoin' })
}

/** The amplification parameter at a time, times 1,000. `_getAmplificationParameter`. */
export function ampAt({ amp, ramp }: ComposableStableForm, time: bigint): bigint {
  if (!ramp) return amp
  const { startValue: from, startTime, endTime } = ramp
  return linearAt({ from, to: amp, startTime, endTime }, time)
}

/** Rates that move without a log were read in the last block, or there are none. */
export function isCurrent({ sampledAt, quotedAt }: BalancerV2Pool): boolean {
  return sampledAt === undefined || isFresh({ sampledAt, quotedAt: quotedAt ?? -1n })
}

/**
 * Returns the value of one wei of each token in the common unit, with 18 decimals: scale·rate. A swap renews the
 * rates that have expired before it reads them.
 */
export function unitsOf({
  decimalScalingFactors: scales,
  form,
  quotedAt = 0n,
}: BalancerV2Pool): readonly bigint[] {
  if (form.kind === 'weighted') return scales.map((scale) => scale * ONE)
  return scales.map((scale, k) => {
    const { cached, renewal } = form.rates[k]!
    return scale * (renewal && quotedAt > renewal.expires ? renewal.current : cached)
  })
}

/** The balances in the common unit of 18 decimals; `undefined` if one does not fit a uint256. */
export function liveBalances(pool: BalancerV2Pool): readonly bigint[] | undefined {
  const units = unitsOf(pool)
  if (pool.balances.some((raw, k) => raw * units[k]! >= TWO_256)) return undefined
  return pool.balances.map((raw, k) => mulDown(raw, units[k]!))
}
