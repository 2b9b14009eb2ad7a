import type { Direction } from '@braid-swap/core'
import { applySwap, getAmountOut, type UniswapV3Pool } from '@braid-swap/core/families'
import { type Call, swapCall } from '@braid-swap/devnet'
import { decodeFunctionResult, encodeFunctionData } from 'viem'
import { erc20Abi, v3PoolAbi } from './abis.js'
import { anyAmount } from './amounts.js'
import { simulate } from './simulate.js'
import { compare, count, type Swap, type Tally } from './tally.js'
import type { ConcentratedPools } from './uniswapV3Pools.js'

/** A swap of any size through any of the pools. */
export function anyConcentratedSwap({
  random,
  pools,
}: ConcentratedPools): Swap & { readonly pool: UniswapV3Pool } {
  return anySwapOf(random, random.pick(pools))
}

/**
 * Swaps through the deployment's own router and compares the output, the input and the pool's state.
 * Core must refuse exactly those swaps in which the pool reverts, pays nothing or leaves input over.
 */
export async function checkConcentratedSwap(
  pools: ConcentratedPools,
  swap: ReturnType<typeof anyConcentratedSwap>,
  tally: Tally,
): Promise<void> {
  const { pool, direction, amountIn } = swap
  const { trader: from } = pools
  const router = routerCall(pools, swap)
  const balance = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [from] })
  const held = pool.tokens.map((to) => ({ from, to, data: balance }))
  const [before0, before1, swapped, after0, after1, ...state] = await simulate(pools.chain.client, [
    ...held,
    { from, to: router.to!, data: router.data! },
    ...held,
    ...stateCalls.map((data) => ({ from, to: pool.id, data })),
  ])
  const changes = [
    BigInt(after0!.data) - BigInt(before0!.data),
    BigInt(after1!.data) - BigInt(before1!.data),
  ]
  const [taken, paid] = [-changes[direction.in]!, changes[direction.out]!]
  const core = getAmountOut(pool, direction, amountIn)
  const isWhole = taken === amountIn
  compare(tally, swap, { what: 'amount out', core, chain: isWhole ? paid : 0n })
  if (!swapped!.succeeded) return count(tally, 'refused: reverts')
  if (!isWhole) return count(tally, 'refused: leaves input over')
  if (paid === 0n) return count(tally, 'refused: pays nothing')
  const chain = decodeState(state.map(({ data }) => data))
  const moved = applySwap(pool, direction, amountIn)
  compare(tally, swap, { what: 'state', core: stateOf(moved), chain })
  count(tally, 'paid to the wei')
  if (crossesTick(pool, moved)) count(tally, 'of them across ticks')
}

const stateCalls = (['slot0', 'liquidity'] as const).map((functionName) =>
  encodeFunctionData({ abi: v3PoolAbi, functionName }),
)

function decodeState(answers: readonly `0x${string}`[]) {
  const abi = v3PoolAbi
  const slot0 = decodeFunctionResult({ abi, functionName: 'slot0', data: answers[0]! })
  const liquidity = decodeFunctionResult({ abi, functionName: 'liquidity', data: answers[1]! })
  return { sqrtPriceX96: slot0[0], tick: slot0[1], liquidity }
}

function stateOf({ sqrtPriceX96, tick, liquidity }: UniswapV3Pool) {
  return { sqrtPriceX96, tick, liquidity }
}

function crossesTick(before: UniswapV3Pool, { tick }: UniswapV3Pool): boolean {
  const [low, high] = tick < before.tick ? [tick, before.tick] : [before.tick, tick]
  return before.ticks.some(({ index }) => low < index && index <= high)
}

/** More gas than a walk through every bitmap word of the tightest spacing needs. */
const WALK_GAS = 100_000_000n

function routerCall({ deployment, trader }: ConcentratedPools, swap: Swap): Call {
  const { tokens, feePpm, id: address, venue, family } = swap.pool as UniswapV3Pool
  const call = swapCall(deployment, {
    pool: { address, venue, family, tokens, feePpm },
    from: trader,
    tokenIn: tokens[swap.direction.in as 0 | 1],
    tokenOut: tokens[swap.direction.out as 0 | 1],
    amountIn: swap.amountIn,
  })
  return { ...call, gas: WALK_GAS }
}

function anySwapOf(random: ConcentratedPools['random'], pool: UniswapV3Pool) {
  const direction: Direction = random.next() < 0.5 ? { in: 0, out: 1 } : { in: 1, out: 0 }
  return { pool, direction, amountIn: anyAmount(random, pool, direction) }
}
