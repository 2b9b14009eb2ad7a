import { createClient, loadSnapshot, type Market, readHeader, refresh } from '@braid-swap/chain'
import { routerAbi } from '@braid-swap/contracts'
import {
  type Address,
  type AlgebraIntegralPool,
  applySwap,
  concatHex,
  type Direction,
  encodeSwap,
  estimateGas,
  getAmountOut,
  ROUTER_GAS,
} from '@braid-swap/core'
import { type AlgebraIntegral, type Call, createRandom, deployRouter } from '@braid-swap/devnet'
import {
  decodeEventLog,
  encodeFunctionData,
  parseAbi,
  type TransactionReceipt,
  toEventSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comparable } from './chainWorld.js'
import { anyAlgebraMove } from './differential/algebraIntegralMoves.js'
import { createAlgebraPools } from './differential/algebraIntegralPools.js'
import { anyAmount } from './differential/amounts.js'
import { approveAll, type BareChain, startBareChain } from './differential/bareChain.js'
import { anyInteger } from './differential/integers.js'

const SEED = 20_261_121
const SWAPS = 2_000
const MOVED_BLOCKS = 150

const GAS = 3_000_000n
const swapAbi = parseAbi([
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 price, uint128 liquidity, int24 tick)',
])
/** What the log test is about. */
const MOVES = [
  'Swap(address,address,int256,int256,uint160,uint128,int24)',
  'Mint(address,address,int24,int24,uint128,uint256,uint256)',
  'Burn(address,int24,int24,uint128,uint256,uint256)',
  'Fee(uint16)',
  'TickSpacing(int24)',
  'FeeConfiguration((uint16,uint16,uint32,uint32,uint16,uint16,uint16))',
]

let bare: BareChain
let algebra: AlgebraIntegral
let router: Address

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 7)
  algebra = await createAlgebraPools(bare)
  ;({ router } = await deployRouter(bare.chain))
  await approveAll(bare, router)
}, 120_000)

afterAll(() => bare?.chain.stop())

const client = () => createClient(bare.chain.rpcUrl)
const load = () =>
  loadSnapshot(client(), { venues: [algebra.venue], wrappedNative: bare.chain.wrappedNative })
const refreshed = async (market: Market) =>
  refresh(client(), market, {
    head: { header: await readHeader(client(), 'latest'), receivedAtMs: 0 },
    venues: [algebra.venue],
  })
const poolsOf = ({ snapshot }: Market) =>
  new Map(
    snapshot.pools
      .filter((pool) => pool.family === 'algebraIntegral')
      .map((pool): [string, AlgebraIntegralPool] => [pool.id, pool]),
  )

type Planned = {
  readonly before: AlgebraIntegralPool
  readonly after: AlgebraIntegralPool
  readonly direction: Direction
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly isFirst: boolean
}

/** Up to three swaps through a pool in a block of this time, each after the one before. */
function planSwaps(start: AlgebraIntegralPool, quotedAt: bigint): readonly Planned[] {
  const { random } = bare
  const planned: Planned[] = []
  let pool: AlgebraIntegralPool = { ...start, quotedAt }
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
function routerCall({ before: pool, direction, amountIn }: Planned): Call {
  const { trader: from } = bare
  // No intermediates; one hop from token 0 to token 1 with all that is held.
  const program = concatHex('0x000001000000', encodeSwap(pool, direction))
  const [tokenIn, tokenOut] = [
    pool.tokens[direction.in as 0 | 1],
    pool.tokens[direction.out as 0 | 1],
  ]
  return {
    ...{ label: 'swap', from, to: router, gas: GAS },
    data: encodeFunctionData({
      abi: routerAbi,
      functionName: 'swap',
      args: [tokenIn, amountIn, tokenOut, 1n, from, 2n ** 40n, program],
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

const crosses = ({ before, after }: Planned) =>
  before.ticks.some(({ index }) => index <= before.tick !== index <= after.tick)

/** Model over the gas limit that the node says the first swaps of a block need. */
async function compareGas(swaps: readonly Planned[]): Promise<readonly number[]> {
  // The node estimates as of the last block, in which a pool may have its timepoint already.
  await bare.chain.mine()
  const { timestamp: quotedAt } = await bare.chain.client.getBlock()
  const chosen = swaps.filter(
    ({ isFirst, before, direction, amountIn }) =>
      isFirst &&
      bare.random.next() < 0.2 &&
      getAmountOut({ ...before, quotedAt }, direction, amountIn) > 0n,
  )
  return Promise.all(
    chosen.map(async (swap) => {
      const { from, to, data } = routerCall(swap)
      const call = { account: from, to: to!, data: data!, gas: GAS }
      const needed = Number(await bare.chain.client.estimateGas(call))
      return modelGas(swap) / needed
    }),
  )
}

describe('Algebra Integral, unmodified and with its plugin', () => {
  it('pays, and becomes, what core says, to the wei and to the second', async () => {
    const { chain, random } = bare
    let market = await load()
    expect(market.setAside).toEqual([])
    const fees = new Set<number>()
    const overNeed: number[] = []
    let [swapped, crossing] = [0, 0]
    while (swapped < SWAPS) {
      const wait = BigInt(Math.ceil(1 + 2 ** (random.next() * 15)))
      const timestamp = market.snapshot.block.timestamp + wait
      const states = poolsOf(market)
      const swaps = [...states.values()].flatMap((pool) => planSwaps(pool, timestamp))
      overNeed.push(...(await compareGas(swaps)))
      await chain.client.setNextBlockTimestamp({ timestamp })
      const receipts = await chain.execute(swaps.map(routerCall))
      for (const [i, swap] of swaps.entries()) {
        const { after } = swap
        expectSwap(receipts[i]!, swap)
        expect(Number(receipts[i]!.gasUsed)).toBeLessThanOrEqual(modelGas(swap))
        states.set(after.id, after)
        swapped += 1
        fees.add(after.feePpm)
        if (crosses(swap)) crossing += 1
      }
      market = await refreshed(market)
      const fresh = poolsOf(await load())
      expect(poolsOf(market)).toEqual(fresh)
      for (const [id, state] of states) {
        expect({ ...state, quotedAt: 0n }).toEqual({ ...fresh.get(id), quotedAt: 0n })
      }
    }
    overNeed.sort((a, b) => a - b)
    const at = (part: number) => overNeed[Math.floor(part * (overNeed.length - 1))]!.toFixed(2)
    console.log(
      `algebraIntegral: ${swapped} swaps, ${crossing} across ticks, ${fees.size} fees; model over needed gas of ${overNeed.length}: ${at(0)} to ${at(1)}, median ${at(0.5)}`,
    )
    expect(overNeed[0]).toBeGreaterThanOrEqual(1)
    // Most is where used ticks are crossed: all are charged as if crossed first, which takes double.
    expect(overNeed.at(-1)).toBeLessThan(1.8)
    expect(overNeed[Math.floor(overNeed.length / 2)]).toBeLessThan(1.2)
    expect(crossing).toBeGreaterThan(200)
    expect(fees.size).toBeGreaterThan(20)
  }, 400_000)

  it('leads from logs to the state of a fresh load, at every block', async () => {
    const { chain, random } = bare
    let market = await load()
    const fromBlock = market.snapshot.block.number
    for (let block = 0; block < MOVED_BLOCKS; block++) {
      const pools = [...poolsOf(market).values()]
      for (let moves = anyInteger(random, 1, 8); moves > 0; moves--) {
        await chain.send(await anyAlgebraMove({ bare, algebra }, random.pick(pools)))
      }
      const timestamp = market.snapshot.block.timestamp + BigInt(anyInteger(random, 1, 20_000))
      await chain.client.setNextBlockTimestamp({ timestamp })
      await chain.mine()
      market = await refreshed(market)
      expect(comparable(market)).toEqual(comparable(await load()))
    }
    expect(market.setAside).toEqual([])
    const watched = market.snapshot.pools.flatMap((pool) => [pool.id, ...(pool.watched ?? [])])
    const logs = await chain.client.getLogs({ address: watched, fromBlock })
    const count = (event: string) =>
      logs.filter(({ topics }) => topics[0] === toEventSelector(event)).length
    const counts = MOVES.map((event) => count(event))
    console.log(
      `algebraIntegral logs: ${MOVES.map((name, i) => `${counts[i]} ${name}`).join('; ')}`,
    )
    for (const seen of counts) expect(seen).toBeGreaterThan(10)
  }, 200_000)
})
