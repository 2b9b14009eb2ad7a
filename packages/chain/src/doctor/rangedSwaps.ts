// Asks pools with V3's `swap` and callback for their outputs.

import {
  type Address,
  type AlgebraIntegralPool,
  type AlgebraV1Pool,
  type Direction,
  type Hex,
  MAX_SQRT_PRICE_X96,
  MIN_SQRT_PRICE_X96,
  type Pool,
  toHex,
  type UniswapV3Pool,
} from '@braid-swap/core'
import { toFunctionSelector } from 'viem'
import { callData, signed } from '../reads/abiWords.js'
import type { Client } from '../transport/client.js'
import { amountsFor } from './amounts.js'
import { type Ask, askPools, type Told } from './askPools.js'
import { readBalances } from './balances.js'
import { DIRECTIONS, type ProbedSwap, type ProbeOptions } from './probedSwap.js'

const SWAP = toFunctionSelector('function swap(address,bool,int256,uint160,bytes)')
/** The offset of the last argument, after five words. */
const BYTES_AT = 160n
const MAX_INT256 = (1n << 255n) - 1n
/** The callback's selector and two deltas. */
const DELTAS_BYTES = 68

/** A pool of the families with V3's `swap` and callback. */
export type RangedPool = UniswapV3Pool | AlgebraIntegralPool | AlgebraV1Pool

const RANGED: ReadonlySet<Pool['family']> = new Set(['uniswapV3', 'algebraIntegral', 'algebraV1'])

/** Returns true for a pool of such a family. */
export function isRanged(pool: Pool): pool is RangedPool {
  return RANGED.has(pool.family)
}

/** The method of probing a pool, in words, for the vector file. */
export const RANGED_CALL =
  'swap(recipient, zeroForOne, amountIn, the price’s end, ""), whose callback reverts with the two deltas'

/**
 * The call that swaps from one token of a pool to the other; an amount below 0 is one to get. `data` is the
 * last argument, in whole words.
 */
export function rangedSwap(
  to: Address,
  { zeroForOne, amount }: { readonly zeroForOne: boolean; readonly amount: bigint },
  data: Hex = '0x',
): Ask {
  const limit = zeroForOne ? MIN_SQRT_PRICE_X96 + 1n : MAX_SQRT_PRICE_X96 - 1n
  const size = (data.length - 2) / 2
  const head = callData(SWAP, 0n, zeroForOne ? 1n : 0n, amount, limit, BYTES_AT, size)
  return { to, data: `${head}${data.slice(2)}`, receiver: 0 }
}

/** True if the callback was reached. */
export const isDeltas = ({ size }: Told): boolean => size === DELTAS_BYTES

/**
 * The pool's outputs, around its balance and for the largest input. Swaps without a result, such as those
 * that need more gas than a call has, are left out.
 */
export async function probeRanged(
  client: Client,
  pool: RangedPool,
  { block }: ProbeOptions,
): Promise<readonly ProbedSwap[]> {
  const balances = await readBalances(
    client,
    block,
    pool.tokens.map((token) => ({ token, holder: pool.id })),
  )
  const swaps = DIRECTIONS.flatMap((direction) =>
    amountsFor(balances[direction.in]!, [MAX_INT256]).map((amountIn) => ({ direction, amountIn })),
  )
  const told = await askPools(client, block, {
    asks: swaps.map(({ direction, amountIn }) =>
      rangedSwap(pool.id, { zeroForOne: direction.in === 0, amount: amountIn }),
    ),
    isExpected: isDeltas,
  })
  return swaps.flatMap(({ direction, amountIn }, i) => {
    const one = told[i]
    if (!one) return []
    return [{ direction, amountIn, amountOut: rangedOut(one, direction, amountIn), seen: one.seen }]
  })
}

/** The output of a pool that was asked for a swap; 0 if it reverted, or did not take the whole input. */
export function rangedOut(told: Told, direction: Direction, amountIn: bigint): bigint {
  // Any other size is the pool's own revert, from before its callback.
  if (!isDeltas(told)) return 0n
  const bytes = bytesOf(told)
  const deltas = [0, 1].map((i) => signed(BigInt(`0x${bytes.slice(8 + 64 * i, 72 + 64 * i)}`)))
  return deltas[direction.in] === amountIn ? -deltas[direction.out]! : 0n
}

/** The selector of the callback that a pool called. */
export function callbackOf(told: Told): Hex {
  return `0x${bytesOf(told).slice(0, 8)}`
}

const bytesOf = ({ words }: Told) => words.map((word) => toHex(word, 32).slice(2)).join('')
