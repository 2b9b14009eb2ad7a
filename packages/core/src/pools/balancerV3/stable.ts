import { linearAt } from '../../math/linearRamp.js'
import { invariantOf } from '../../math/stableSwap.js'
import { balanceUp } from '../../math/stableSwapUp.js'
import type { ScaledSwap, StableForm } from './pool.js'

/** The unit of the amplification parameter. */
export const AMP_PRECISION = 1_000n

/** A swap must leave the largest balance less than this times the smallest, rounded down. */
export const MAX_IMBALANCE = 10_000n

/**
 * Output of a stable pool for an input after the fee, in the common unit of 18 decimals; `undefined`
 * if it reverts. `StablePool.onSwap` and `StableMath`.
 */
export function stableOut(
  form: StableForm,
  { i, o, live, amountIn }: ScaledSwap,
  time: bigint,
): bigint | undefined {
  const amp = ampAt(form, time)
  const D = stableInvariant(live, amp)
  if (D === undefined || D === 0n) return undefined
  const after = live.with(i, live[i]! + amountIn)
  const y = balanceUp(after, { o, D, amp, precision: AMP_PRECISION, order: 'multiplyFirst' })
  // The contract subtracts y and one more unit with a check.
  if (y === undefined || y + 1n > live[o]!) return undefined
  const amountOut = live[o]! - y - 1n
  const ends = [...live, after[i]!, live[o]! - amountOut]
  const least = ends.reduce((a, b) => (a < b ? a : b))
  const most = ends.reduce((a, b) => (a > b ? a : b))
  return least === 0n || most / least >= MAX_IMBALANCE ? undefined : amountOut
}

/** The invariant D of balances in the common unit; `undefined` if the contract reverts. */
export function stableInvariant(live: readonly bigint[], amp: bigint): bigint | undefined {
  return invariantOf(live, { amp, precision: AMP_PRECISION, rounding: 'eachCoin' })
}

/** The amplification parameter at a time, times 1,000. `_getAmplificationParameter`. */
export function ampAt({ amp, ramp }: StableForm, time: bigint): bigint {
  if (!ramp) return amp
  const { startValue: from, startTime, endTime } = ramp
  return linearAt({ from, to: amp, startTime, endTime }, time)
}
