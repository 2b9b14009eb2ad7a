import { weightedProductOut } from '../../math/weightedProduct.js'
import type { ScaledSwap, WeightedForm } from './pool.js'

/**
 * Output of a weighted pool for an input after the fee, in the common unit of 18 decimals;
 * `undefined` if it reverts. `WeightedPool.onSwap`.
 */
export function weightedOut(
  { normalizedWeights: weights, minTokenBalances }: WeightedForm,
  { i, o, live, amountIn }: ScaledSwap,
): bigint | undefined {
  const [balanceIn, balanceOut] = [live[i]! + (minTokenBalances ? 1n : 0n), live[o]!]
  if (balanceIn < (minTokenBalances?.[i] ?? 0n)) return undefined
  const [weightIn, weightOut] = [weights[i]!, weights[o]!]
  const amountOut = weightedProductOut({ balanceIn, weightIn, balanceOut, weightOut, amountIn })
  if (amountOut === undefined) return undefined
  return balanceOut - amountOut < (minTokenBalances?.[o] ?? 0n) ? undefined : amountOut
}
