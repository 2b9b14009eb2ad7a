import { createClient, loadSnapshot, type Market, readHeader, refresh } from '@braid-swap/chain'
import { type AlgebraIntegralPool, applySwap, estimateGas, getAmountOut } from '@braid-swap/core'
import { createRandom } from '@braid-swap/devnet'
import { decodeEventLog, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type AlgebraIntegral,
  deployAlgebraIntegral,
  routerSwapCall,
} from './differential/algebraIntegralPools.js'
import { anyAmount } from './differential/amounts.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { anyInteger } from './differential/integers.js'

const SEED = 20_261_121
const SWAPS = 2_000
const swapAbi = parseAbi([
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 price, uint128 liquidity, int24 tick)',
])

let bare: BareChain
let algebra: AlgebraIntegral

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 7)
  algebra = await deployAlgebraIntegral(bare)
}, 120_000)

afterAll(() => bare?.chain.stop())

it('is what unmodified pools with their plugin pay, and become, to the wei and to the second', async () => {
  const { chain, random, trader: from } = bare
  const client = createClient(chain.rpcUrl)
  const { venue } = algebra
  const load = () => loadSnapshot(client, { venues: [venue], wrappedNative: chain.wrappedNative })
  const poolsOf = ({ snapshot }: Market) =>
    new Map(
      snapshot.pools
        .filter((pool) => pool.family === 'algebraIntegral')
        .map((pool): [string, AlgebraIntegralPool] => [pool.id, pool]),
    )
  let market = await load()
  expect(market.setAside).toEqual([])
  const seen = { swaps: 0, fees: new Set<number>(), ticks: 0, maxUnderestimate: 0 }
  while (seen.swaps < SWAPS) {
    const wait = 2 ** (random.next() * 15)
    const timestamp = market.snapshot.block.timestamp + BigInt(Math.ceil(wait))
    const states = poolsOf(market)
    const swaps = [...states.values()].flatMap((start) => {
      let pool: AlgebraIntegralPool = { ...start, quotedAt: timestamp }
      return Array.from({ length: anyInteger(random, 0, 3) }, () => {
        const direction = random.next() < 0.5 ? { in: 0, out: 1 } : { in: 1, out: 0 }
        const amountIn = anyAmount(random, pool, direction)
        const amountOut = getAmountOut(pool, direction, amountIn)
        if (amountOut === 0n) return []
        const before = pool
        pool = applySwap(pool, direction, amountIn)
        states.set(pool.id, pool)
        return [{ before, after: pool, direction, amountIn, amountOut }]
      }).flat()
    })
    await chain.client.setNextBlockTimestamp({ timestamp })
    const receipts = await chain.execute(
      swaps.map(({ after: { tokens }, direction, amountIn }) =>
        routerSwapCall(algebra, {
          ...{ from, amountIn, tokenIn: tokens[direction.in as 0 | 1] },
          tokenOut: tokens[direction.out as 0 | 1],
        }),
      ),
    )
    for (const [i, { before, after, direction, amountIn, amountOut }] of swaps.entries()) {
      const log = receipts[i]!.logs.find(
        ({ address, data }) => address.toLowerCase() === after.id && data.length === 2 + 5 * 64,
      )!
      const { args } = decodeEventLog({ abi: swapAbi, ...log })
      const [taken, paid] =
        direction.in === 0 ? [args.amount0, args.amount1] : [args.amount1, args.amount0]
      expect({ taken, paid, tick: args.tick }).toEqual({
        ...{ taken: amountIn, paid: -amountOut, tick: after.tick },
      })
      seen.swaps += 1
      seen.fees.add(after.feePpm)
      if (before.ticks.some(({ index }) => index <= before.tick !== index <= after.tick))
        seen.ticks++
      // The router and the transaction itself are in the figure: it is above what the hop takes.
      const gas = Number(receipts[i]!.gasUsed) - 21_000
      seen.maxUnderestimate = Math.max(
        seen.maxUnderestimate,
        gas - estimateGas(before, direction, amountIn),
      )
    }
    const header = await readHeader(client, 'latest')
    market = await refresh(client, market, {
      head: { header, receivedAtMs: 0 },
      venues: [venue],
    })
    const fresh = poolsOf(await load())
    expect(poolsOf(market)).toEqual(fresh)
    for (const [id, state] of states) {
      expect({ ...state, quotedAt: 0n }).toEqual({ ...fresh.get(id), quotedAt: 0n })
    }
  }
  console.log(
    `algebraIntegral: ${seen.swaps} swaps, ${seen.ticks} across ticks, ${seen.fees.size} fees, gas over estimate at most ${seen.maxUnderestimate}`,
  )
  expect(seen.maxUnderestimate).toBe(0)
  expect(seen.ticks).toBeGreaterThan(200)
  expect(seen.fees.size).toBeGreaterThan(20)
}, 400_000)
