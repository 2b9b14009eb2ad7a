import type { Address, Hex } from '@braid-swap/core'
import { callData } from '../../reads/abiWords.js'
import { ESTIMATE_SWAP_BATCH } from './abi.js'

/** Calldata that asks a pool for the output of each of these amounts. */
export function estimateData(
  [tokenIn, tokenOut]: readonly [Address, Address],
  amountsIn: readonly bigint[],
): Hex {
  const head = [BigInt(tokenIn), BigInt(tokenOut), 96n, amountsIn.length]
  return callData(ESTIMATE_SWAP_BATCH, ...head, ...amountsIn)
}
