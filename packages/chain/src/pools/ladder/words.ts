import type { Address, Hex } from '@braid-swap/core'
import { callData, wordAt } from '../../words.js'
import { ESTIMATE_SWAP_BATCH } from './abi.js'

/** The words of the one list that an answer is; throws a RangeError if it is cut short. */
export function listOf(data: Hex): readonly bigint[] {
  const start = Number(wordAt(data, 0) / 32n)
  const length = Number(wordAt(data, start))
  return Array.from({ length }, (_, i) => wordAt(data, start + 1 + i))
}

/** The question what a pool pays for each of these amounts. */
export function estimateData(
  [tokenIn, tokenOut]: readonly [Address, Address],
  amountsIn: readonly bigint[],
): Hex {
  const head = [BigInt(tokenIn), BigInt(tokenOut), 96n, amountsIn.length]
  return callData(ESTIMATE_SWAP_BATCH, ...head, ...amountsIn)
}
