import { divUp, TWO_256 } from '../../math/fullMath.js'
import { invariantOf } from '../../math/stableSwap.js'
import type { ScaledSwap, StableForm } from './pool.js'

/** The unit of the amplification parameter. */
export const AMP_PRECISION = 1_000n

/** A swap must leave the largest balance less than this times the smallest, rounded down. */
export const MAX_IMBALANCE = 10_000n

const STEPS = 255

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
  const y = balanceUp(after, { o, D, amp })
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
  if (!ramp || time >= ramp.endTime) return amp
  const { startValue, startTime, endTime } = ramp
  const passed = time > startTime ? time - startTime : 0n
  const whole = endTime - startTime
  return amp > startValue
    ? startValue + ((amp - startValue) * passed) / whole
    : startValue - ((startValue - amp) * passed) / whole
}

/**
 * The balance of token `o` at which the others have the invariant D, rounded up in each step of
 * Newton's method; `undefined` if a product exceeds a uint256 or the steps do not end.
 * `StableMath.computeBalance`.
 */
function balanceUp(
  balances: readonly bigint[],
  { o, D, amp }: { readonly o: number; readonly D: bigint; readonly amp: bigint },
): bigint | undefined {
  const n = BigInt(balances.length)
  const ann = amp * n
  let product = balances[0]! * n
  for (const balance of balances.slice(1)) {
    const dividend = product * balance * n
    if (dividend >= TWO_256) return undefined
    product = dividend / D
  }
  const square = D * D
  const divisor = ann * product
  if (square * AMP_PRECISION >= TWO_256 || divisor === 0n || divisor >= TWO_256) return undefined
  const c = divUp(square * AMP_PRECISION, divisor) * balances[o]!
  const others = balances.reduce((sum, balance, k) => (k === o ? sum : sum + balance), 0n)
  const b = others + (D * AMP_PRECISION) / ann
  if (square + c >= TWO_256) return undefined
  let y = divUp(square + c, D + b)
  for (let step = 0; step < STEPS; step++) {
    const before = y
    const numerator = y * y + c
    const denominator = 2n * y + b - D
    if (numerator >= TWO_256 || denominator <= 0n) return undefined
    y = divUp(numerator, denominator)
    const moved = y > before ? y - before : before - y
    if (moved <= 1n) return y
  }
  return undefined
}
