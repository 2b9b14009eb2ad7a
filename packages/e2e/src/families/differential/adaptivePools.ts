import type { Market, Venue } from '@braid-swap/chain'
import { type Address, type Direction, encodeRouterCall } from '@braid-swap/core'
import { concatHex, ROUTER_GAS } from '@braid-swap/core/advanced'
import {
  type AlgebraIntegralPool,
  type AlgebraV1Pool,
  applySwap,
  encodeSwap,
  estimateGas,
  feeRate,
  getAmountOut,
} from '@braid-swap/core/families'
import type { Call } from '@braid-swap/devnet'
import { decodeEventLog, parseAbi, type TransactionReceipt } from 'viem'
import { expect } from 'vitest'
import { anyAmount } from './amounts.js'
import type { BareChain } from './bareChain.js'
import { startFollowing } from './following.js'
import { anyInteger } from './integers.js'
import { type GasSample, spareOverUsedTicks } from './tickGas.js'

/** A pool that adapts its own fee in the first swap of each block. */
export type AdaptivePool = AlgebraIntegralPool | AlgebraV1Pool

/** A venue of such pools, and the router that swaps in them. */
export type AdaptiveVenue = {
  readonly bare: BareChain
  readonly venue: Venue
  readonly router: Address
  readonly executor: Address
}

const GAS = 3_000_000n
const swapAbi = parseAbi([
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 price, uint128 liquidity, int24 tick)',
])

function poolsOf({ state: { snapshot } }: Market): Map<string, AdaptivePool> {
  const pools = snapshot.pools.filter(
    (pool): pool is AdaptivePool =>
      pool.family === 'algebraIntegral' || pool.family === 'algebraV1',
  )
  return new Map(pools.map((pool) => [pool.id, pool]))
}

type Planned = {
  readonly before: AdaptivePool
  readonly after: AdaptivePool
  readonly direction: Direction
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly isFirst: boolean
}

/** The result of a run of swaps. */
export type SwapRun = {
  readonly swaps: number
  readonly crossing: number
  /** Counts the different fees that they paid. */
  readonly fees: number
  readonly gas: readonly GasSample[]
}

/**
 * Random swaps through the router in blocks at random times. Output, state and gas of each swap are
 * compared with core's. A pool is used up to three times in a block.
 */
export async function swapInBlocks(market: AdaptiveVenue, wanted: number): Promise<SwapRun> {
  const { chain, random } = market.bare
  const following = await startFollowing(chain, [market.venue])
  let followed = following.market()
  expect(followed.state.setAside).toEqual([])
  const fees = new Set<number | undefined>()
  const gas: GasSample[] = []
  let [swapped, crossing] = [0, 0]
  while (swapped < wanted) {
    const wait = BigInt(Math.ceil(1 + 2 ** (random.next() * 17)))
    const timestamp = followed.state.snapshot.block.timestamp + wait
    const states = poolsOf(followed)
    const swaps = [...states.values()].flatMap((pool) => planSwaps(market.bare, pool, timestamp))
    gas.push(...(await compareGas(market, swaps)))
    await chain.client.setNextBlockTimestamp({ timestamp })
    const receipts = await chain.execute(swaps.map((swap) => routerCall(market, swap)))
    for (const [i, swap] of swaps.entries()) {
      expectSwap(receipts[i]!, swap)
      expect(Number(receipts[i]!.gasUsed)).toBeLessThanOrEqual(modelGas(swap))
      states.set(swap.after.id, swap.after)
      swapped += 1
      fees.add(feeRate(swap.before, swap.direction, swap.amountIn))
      if (ticksBetween(swap.before, swap.before.tick, swap.after.tick) > 0) crossing += 1
    }
    followed = await following.next()
    const fresh = poolsOf(followed)
    for (const [id, state] of states) {
      expect({ ...state, quotedAt: 0n }).toEqual({ ...fresh.get(id), quotedAt: 0n })
    }
  }
  return { swaps: swapped, crossing, fees: fees.size, gas }
}

/** Describes the run in words. */
export function describeRun({ swaps, crossing, fees, gas }: SwapRun): string {
  const ratios = overNeed(gas)
  const at = (part: number) => ratios[Math.floor(part * (ratios.length - 1))]!.toFixed(2)
  const spare = Math.max(...gas.map(spareOverUsedTicks)).toFixed(0)
  return `${swaps} swaps, ${crossing} across ticks, ${fees} fees; model over needed gas of ${gas.length}: ${at(0)} to ${at(1)}, median ${at(0.5)}; at most ${spare} to spare over used ticks`
}

/** Model over the gas limit that the node says a swap needs, ascending. */
export function overNeed(gas: readonly GasSample[]): readonly number[] {
  return gas.map(({ model, need }) => model / need).sort((a, b) => a - b)
}

/** Up to three swaps through a pool in a block at this time, one after the other. */
function planSwaps(
  { random }: BareChain,
  start: AdaptivePool,
  quotedAt: bigint,
): readonly Planned[] {
  const planned: Planned[] = []
  let pool: AdaptivePool = { ...start, quotedAt }
  for (let wanted = anyInteger(random, 0, 3); wanted > 0; wanted--) {
    const direction = random.next() < 0.5 ? { in: 0, out: 1 } : { in: 1, out: 0 }
    const amountIn = anyAmount(random, pool, direction)
    const amountOut = getAmountOut(pool, direction, amountIn)
    if (amountOut === 0n) continue
    const after = applySwap(pool, direction, amountIn)
    const isFirst = planned.length === 0
    planned.push({ before: pool, after, direction, amountIn, amountOut, isFirst })
    pool = after
  }
  return planned
}

/** The swap by the router, as a program of one hop. */
function routerCall(market: AdaptiveVenue, { before: pool, direction, amountIn }: Planned): Call {
  const { trader: from } = market.bare
  // No intermediate tokens; one hop from token 0 to token 1 with the whole amount.
  const program = concatHex('0x000001000000', encodeSwap(pool, direction))
  const [tokenIn, tokenOut] = [
    pool.tokens[direction.in as 0 | 1],
    pool.tokens[direction.out as 0 | 1],
  ]
  return {
    ...{ label: 'swap', from, to: market.router, gas: GAS },
    data: encodeRouterCall({
      ...{ tokenIn, amountIn, tokenOut, minAmountOut: 1n, receiver: from, deadline: 2n ** 40n },
      ...{ executor: market.executor, program },
    }),
  }
}

function expectSwap({ logs }: TransactionReceipt, { after, direction, ...swap }: Planned): void {
  const log = logs.find(
    ({ address, data }) => address.toLowerCase() === after.id && data.length === 2 + 5 * 64,
  )!
  const { args } = decodeEventLog({ abi: swapAbi, ...log })
  const deltas = [args.amount0, args.amount1]
  expect({ taken: deltas[direction.in], paid: deltas[direction.out], tick: args.tick }).toEqual({
    ...{ taken: swap.amountIn, paid: -swap.amountOut, tick: after.tick },
  })
}

const modelGas = ({ before, direction, amountIn }: Planned) =>
  ROUTER_GAS + estimateGas(before, direction, amountIn)

/** Counts the initialised ticks that a swap between two ticks crosses. */
const ticksBetween = ({ ticks }: AdaptivePool, from: number, to: number) =>
  ticks.filter(({ index }) => index <= from !== index <= to).length

/** The gas of some first swaps of a block: by the model, and as the node needs it. */
async function compareGas(
  market: AdaptiveVenue,
  swaps: readonly Planned[],
): Promise<readonly GasSample[]> {
  const { chain, random } = market.bare
  // The node estimates in the last block, where a pool may already have its timepoint.
  await chain.mine()
  const { timestamp: quotedAt } = await chain.client.getBlock()
  const chosen = swaps
    .filter(({ isFirst }) => isFirst && random.next() < 0.2)
    .map((swap) => ({ ...swap, before: { ...swap.before, quotedAt } }))
    .filter(({ before, direction, amountIn }) => getAmountOut(before, direction, amountIn) > 0n)
  return Promise.all(
    chosen.map(async (swap) => {
      const { before, direction, amountIn } = swap
      const { from, to, data } = routerCall(market, swap)
      const call = { account: from, to: to!, data: data!, gas: GAS }
      const { tick } = applySwap(before, direction, amountIn)
      const crossed = ticksBetween(before, before.tick, tick)
      const need = Number(await chain.client.estimateGas(call))
      return { model: modelGas(swap), need, crossed }
    }),
  )
}
