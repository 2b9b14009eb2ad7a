import type { Client } from '@braid-swap/chain'
import { type Direction, getAmountOut, type UniswapV2Pool } from '@braid-swap/core'
import { encodeFunctionData, parseAbi } from 'viem'
import { amountsFor } from './amounts.js'
import { answering, FORWARDER, probe } from './probe.js'

const abi = parseAbi([
  'function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)',
])
const MAX_UINT112 = (1n << 112n) - 1n

/** The method of probing a pair, in words, for the vector file. */
export const call =
  'the largest output that swap(amount0Out, amount1Out, to, "") accepts while the token in reports that the input has arrived'

/** Inputs to probe a pair with: around its reserve, and around the end of its uint112. */
export function amountsIn(pool: UniswapV2Pool, direction: Direction): readonly bigint[] {
  const reserveIn = pool.reserves[direction.in as 0 | 1]
  return amountsFor(reserveIn, [MAX_UINT112 - reserveIn, MAX_UINT112 - reserveIn + 1n])
}

/**
 * The largest output that the pair's own check accepts for an input, in wei, by bisection. A pair has
 * no quote function, so each probe is a swap that the pair accepts or rejects. The formula's result
 * only saves probes: it is used if the pair accepts it and rejects one wei more.
 */
export async function askAmountOut(
  client: Client,
  block: bigint,
  swap: { readonly pool: UniswapV2Pool; readonly direction: Direction; readonly amountIn: bigint },
): Promise<bigint> {
  const { pool, direction, amountIn } = swap
  const reserveOut = pool.reserves[direction.out as 0 | 1]
  const accepts = (amountOut: bigint) => accept(client, block, { ...swap, amountOut })
  const guess = getAmountOut(pool, direction, amountIn)
  if (await accepts(guess + 1n)) return bisect(accepts, guess + 1n, reserveOut)
  if (guess > 0n && (await accepts(guess))) return guess
  return guess === 0n ? 0n : bisect(accepts, 0n, guess)
}

async function accept(
  client: Client,
  block: bigint,
  swap: {
    readonly pool: UniswapV2Pool
    readonly direction: Direction
    readonly amountIn: bigint
    readonly amountOut: bigint
  },
): Promise<boolean> {
  const { pool, direction, amountIn, amountOut } = swap
  const outs = direction.out === 0 ? ([amountOut, 0n] as const) : ([0n, amountOut] as const)
  const balance = pool.reserves[direction.in as 0 | 1] + amountIn
  const { isSuccess } = await probe(client, block, {
    to: pool.id,
    data: encodeFunctionData({ abi, args: [...outs, FORWARDER, '0x'] }),
    placed: [{ address: pool.tokens[direction.in as 0 | 1], code: answering(balance) }],
  })
  return isSuccess
}

/** The largest accepted value, given that `low` is accepted (or 0) and `high` is not. */
async function bisect(
  accepts: (value: bigint) => Promise<boolean>,
  low: bigint,
  high: bigint,
): Promise<bigint> {
  let [yes, no] = [low, high]
  while (no - yes > 1n) {
    const middle = (yes + no) / 2n
    if (await accepts(middle)) yes = middle
    else no = middle
  }
  return yes
}
