import type { Direction } from '@braid-swap/core'
import { applySwap, getAmountOut, type UniswapV2Pool } from '@braid-swap/core/families'
import { deployUniswapV2, type UniswapV2, type V2Maker } from '@braid-swap/devnet'
import { createV2Pool } from '@braid-swap/devnet/testing'
import { decodeFunctionResult, encodeFunctionData } from 'viem'
import { erc20Abi, pairAbi } from './abis.js'
import { anyAmount } from './amounts.js'
import { approveAll, type BareChain, pairsOf, readPools } from './bareChain.js'
import { anyBits } from './integers.js'
import { simulate } from './simulate.js'
import { compare, count, type Swap, type Tally } from './tally.js'

/** Unmodified pairs of every size and ratio, and their states as loaded. */
export type Pairs = BareChain & { readonly v2: UniswapV2; readonly pools: readonly UniswapV2Pool[] }

/** One pair for every two tokens, with reserves from a few wei to nearly the end of a uint112. */
export async function createPairs(bare: BareChain, maker: V2Maker = 'uniswap'): Promise<Pairs> {
  const { chain, random, tokens } = bare
  const v2 = await deployUniswapV2(chain, `bytecode-${maker}`, maker)
  await approveAll(bare, v2.router)
  for (const pair of pairsOf(tokens)) {
    // A pair's first liquidity, √(x·y), must exceed 1000.
    const x = anyBits(random, 3, 111)
    const enough = Math.max(3, 21 - (x.toString(2).length - 1))
    await createV2Pool(chain, v2, { tokens: pair, amounts: [x, anyBits(random, enough, 111)] })
  }
  const pools = (await readPools(chain, v2.venue)) as readonly UniswapV2Pool[]
  return { ...bare, v2, pools }
}

/** A swap of any size through any of the pairs. */
export function anyPairSwap({ random, pools }: Pairs): Swap & { readonly pool: UniswapV2Pool } {
  const pool = random.pick(pools)
  const direction = anyDirection(random)
  return { pool, direction, amountIn: anyAmount(random, pool, direction) }
}

/**
 * Sends the input to the pair and requests core's output, and one wei more. The pair must pay the
 * first, refuse the second, and end with core's reserves.
 */
export async function checkPairSwap(
  { chain, trader }: Pairs,
  swap: ReturnType<typeof anyPairSwap>,
  tally: Tally,
): Promise<void> {
  const { pool, direction, amountIn } = swap
  const amountOut = getAmountOut(pool, direction, amountIn)
  const token = pool.tokens[direction.in as 0 | 1]
  const give = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'mint',
    args: [pool.id, amountIn],
  })
  const ask = (amount: bigint) => ({
    from: trader,
    to: pool.id,
    data: encodeFunctionData({
      abi: pairAbi,
      functionName: 'swap',
      args: [direction.out === 0 ? amount : 0n, direction.out === 1 ? amount : 0n, trader, '0x'],
    }),
  })
  const [given, more, exact, read] = await simulate(chain.client, [
    { from: trader, to: token, data: give },
    ask(amountOut + 1n),
    ask(amountOut),
    {
      from: trader,
      to: pool.id,
      data: encodeFunctionData({ abi: pairAbi, functionName: 'getReserves' }),
    },
  ])
  if (!given!.succeeded) throw new Error(`the token did not mint ${amountIn}`)
  const pays = { most: more!.succeeded ? 'more' : exact!.succeeded ? amountOut : 0n }
  const isEqual = compare(tally, swap, { what: 'amount out', core: amountOut, chain: pays.most })
  if (amountOut === 0n) return count(tally, isEqual ? 'refused by both' : 'refused by core')
  const [reserve0, reserve1] = decodeFunctionResult({
    abi: pairAbi,
    functionName: 'getReserves',
    data: read!.data,
  })
  const core = applySwap(pool, direction, amountIn).reserves
  compare(tally, swap, { what: 'reserves', core, chain: [reserve0, reserve1] })
  count(tally, 'paid to the wei')
}

function anyDirection(random: BareChain['random']): Direction {
  return random.next() < 0.5 ? { in: 0, out: 1 } : { in: 1, out: 0 }
}
