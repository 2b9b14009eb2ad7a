import type { Address, Hex } from '@braid-swap/core'
import { callData } from '../../reads/abiWords.js'
import { ESTIMATE_SWAP, ESTIMATE_SWAP_BATCH } from './abi.js'

type Ends = readonly [tokenIn: Address, tokenOut: Address]

/** Calldata that asks a pool for the output of each of these amounts. */
export function estimateData([tokenIn, tokenOut]: Ends, amountsIn: readonly bigint[]): Hex {
  const head = [BigInt(tokenIn), BigInt(tokenOut), 96n, amountsIn.length]
  return callData(ESTIMATE_SWAP_BATCH, ...head, ...amountsIn)
}

/** Calldata that asks a pool for the output of one amount. */
export function estimateOneData([tokenIn, tokenOut]: Ends, amountIn: bigint): Hex {
  return callData(ESTIMATE_SWAP, BigInt(tokenIn), BigInt(tokenOut), amountIn)
}
