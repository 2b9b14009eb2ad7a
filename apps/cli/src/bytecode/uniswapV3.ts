import type { Client } from '@braid-swap/chain'
import {
  type AlgebraIntegralPool,
  type AlgebraV1Pool,
  type Direction,
  MAX_SQRT_PRICE_X96,
  MIN_SQRT_PRICE_X96,
  sizeOfHex,
  sliceHex,
  type UniswapV3Pool,
} from '@braid-swap/core'
import { encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import { callNode } from '../sources/node.js'
import { amountsFor } from './amounts.js'
import { FORWARDER, probe } from './probe.js'

const abi = parseAbi([
  'function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes data)',
])
const MAX_INT256 = (1n << 255n) - 1n
const DELTAS_BYTES = 64

/** A pool of the families with V3's `swap` and callback. */
type CallbackPool = UniswapV3Pool | AlgebraIntegralPool | AlgebraV1Pool

/** The method of probing a pool, in words, for the vector file. */
export const call =
  'swap(recipient, zeroForOne, amountIn, the price’s end, ""), whose callback reverts with the two deltas'

/** Inputs to probe a pool with: around its balance, and the largest possible. */
export async function amountsIn(
  client: Client,
  block: bigint,
  swap: { readonly pool: CallbackPool; readonly direction: Direction },
): Promise<readonly bigint[]> {
  const address = swap.pool.tokens[swap.direction.in as 0 | 1]
  const balance = await callNode(() =>
    client.readContract({
      ...{ address, abi: erc20Abi, functionName: 'balanceOf', args: [swap.pool.id] },
      blockNumber: block,
    }),
  )
  return amountsFor(balance, [MAX_INT256])
}

/**
 * The pool's output for an input, in wei; 0 unless the pool takes the whole input. `undefined` if the
 * result may mean that the call ran out of gas, which is a limit of the node and not of the pool.
 */
export async function askAmountOut(
  client: Client,
  block: bigint,
  swap: { readonly pool: CallbackPool; readonly direction: Direction; readonly amountIn: bigint },
): Promise<bigint | undefined> {
  const { pool, direction, amountIn } = swap
  const zeroForOne = direction.in === 0
  const limit = zeroForOne ? MIN_SQRT_PRICE_X96 + 1n : MAX_SQRT_PRICE_X96 - 1n
  const { returned } = await probe(client, block, {
    to: pool.id,
    data: encodeFunctionData({ abi, args: [FORWARDER, zeroForOne, amountIn, limit, '0x'] }),
  })
  if (returned === '0x') return undefined
  // Anything else is the pool's own revert, from before its callback.
  if (sizeOfHex(returned) !== DELTAS_BYTES) return 0n
  const deltas = [0, 1].map((i) =>
    BigInt.asIntN(256, BigInt(sliceHex(returned, i * 32, i * 32 + 32))),
  )
  return deltas[direction.in] === amountIn ? -deltas[direction.out]! : 0n
}
