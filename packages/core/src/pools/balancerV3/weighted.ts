import { mulDown, ONE, powUp } from '../../math/fixedPoint.js'
import { divUp } from '../../math/fullMath.js'
import type { ScaledSwap, WeightedForm } from './pool.js'

// A swap may sell at most 30 % of the balance of the token in.
const MAX_IN_RATIO = 3n * 10n ** 17n

/**
 * Output of a weighted pool for an input after the fee, in the common unit of 18 decimals;
 * `undefined` if it reverts.
 *
 *   out = B_o·(1 − (B_i / (B_i + a))^(w_i/w_o))      `WeightedPool.onSwap`, `computeOutGivenExactIn`
 */
export function weightedOut(
  { normalizedWeights: weights, minTokenBalances }: WeightedForm,
  { i, o, live, amountIn }: ScaledSwap,
): bigint | undefined {
  const [balanceIn, balanceOut] = [live[i]! + (minTokenBalances ? 1n : 0n), live[o]!]
  if (balanceIn < (minTokenBalances?.[i] ?? 0n)) return undefined
  if (amountIn > mulDown(balanceIn, MAX_IN_RATIO)) return undefined
  const base = divUp(balanceIn * ONE, balanceIn + amountIn)
  const power = powUp(base, (weights[i]! * ONE) / weights[o]!)
  if (power === undefined) return undefined
  const amountOut = power < ONE ? mulDown(balanceOut, ONE - power) : 0n
  return balanceOut - amountOut < (minTokenBalances?.[o] ?? 0n) ? undefined : amountOut
}
