// Swaps at a constant weighted product Π B^w, in the integers of Balancer's contracts.

import { mulDown, ONE, powUp } from './fixedPoint.js'
import { divUp } from './fullMath.js'

// A swap may sell at most 30 % of the balance of the token in.
const MAX_IN_RATIO = 3n * 10n ** 17n

/** A swap of `amountIn`, all numbers with 18 decimals. */
export type WeightedSwap = {
  readonly balanceIn: bigint
  readonly weightIn: bigint
  readonly balanceOut: bigint
  readonly weightOut: bigint
  readonly amountIn: bigint
}

/**
 * Output of the swap, rounded down; `undefined` if the contract reverts.
 *
 *   out = B_o·(1 − (B_i / (B_i + a))^(w_i/w_o))      `WeightedMath.computeOutGivenExactIn`
 */
export function weightedProductOut(swap: WeightedSwap): bigint | undefined {
  const { balanceIn, weightIn, balanceOut, weightOut, amountIn } = swap
  if (amountIn > mulDown(balanceIn, MAX_IN_RATIO)) return undefined
  const base = divUp(balanceIn * ONE, balanceIn + amountIn)
  const power = powUp(base, (weightIn * ONE) / weightOut)
  if (power === undefined) return undefined
  return power < ONE ? mulDown(balanceOut, ONE - power) : 0n
}
