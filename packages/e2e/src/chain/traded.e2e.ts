// Pools that no search has named are found by their swaps.
import {
  type Client,
  createClient,
  followMarket,
  loadSnapshot,
  type Market,
  readHeader,
} from '@braid-swap/chain'
import { v2SwapCall, v3SwapCall } from '@braid-swap/devnet'
import { toFunctionSelector } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compileDoubles, deploy } from '../families/doubles/compile.js'
import { type ChainWorld, startChainWorld } from './world.js'

/** Rounds between two questions to contracts, one to read a pool, and one in which it has swaps. */
const FOUND_WITHIN = 23

let world: ChainWorld
let client: Client
beforeAll(async () => {
  world = await startChainWorld()
  client = createClient(world.chain.rpcUrl)
})
afterAll(() => world?.chain.stop())

it('a pool of an unlisted fee joins if its factory names it; the others are counted', async () => {
  const { chain, trader, v2, v3, pools } = world
  const [tokenIn, tokenOut] = pools.find(({ feePpm }) => feePpm === 100)!.tokens
  const unlisted = pools.find(({ venue, feePpm }) => venue === v3.venue.id && feePpm === 100)!
  const known = pools.find(({ venue, feePpm }) => venue === v3.venue.id && feePpm === 500)!
  const { FalsePool } = compileDoubles(['FalsePool.sol'])
  const liar = await deploy(chain, FalsePool!, [v3.factory, tokenIn, tokenOut, 100])

  const venues = [{ ...v3.venue, feesPpm: [500] }]
  const { number: searchedTo } = await readHeader(client, 'latest')
  const start = await loadSnapshot(client, {
    ...{ venues, searchedTo, wrappedNative: chain.wrappedNative },
    pools: [{ id: known.address, family: 'uniswapV3', venue: known.venue, tokens: known.tokens }],
  })
  let market: Market = start
  let wake = () => {}
  const errors: unknown[] = []
  const ending = new AbortController()
  const following = followMarket({
    ...{ client, venues, start, pollMs: 20, signal: ending.signal },
    onSnapshot: (next) => {
      market = next
      wake()
    },
    onError: (error) => errors.push(error),
  })
  const isServed = () => market.snapshot.pools.some(({ id }) => id === unlisted.address)
  const swap = { from: trader, tokenIn, tokenOut, amountIn: 10_000n }
  let blocks = 0
  for (; blocks < FOUND_WITHIN && (market.traded?.served ?? 0) <= blocks; blocks++) {
    const pretend = toFunctionSelector('function pretend()')
    await chain.send([
      ...[500, 100].map((feePpm) => v3SwapCall(v3, { ...swap, feePpm })),
      v2SwapCall(v2, swap),
      { label: 'pretend', from: chain.deployer, to: liar, data: pretend, gas: 100_000n },
    ])
    const head = market.snapshot.block.number
    await chain.mine()
    while (market.snapshot.block.number === head) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  ending.abort()
  await following
  expect(errors).toEqual([])
  expect(isServed()).toBe(true)
  expect(market.pools.map(({ id }) => id).sort()).toEqual([known.address, unlisted.address].sort())
  // The known pool in every block and the found one in the last; the pair and the liar stay unknown.
  const { served, setAside, unknown } = market.traded!
  expect([served, setAside]).toEqual([blocks + 1, 0])
  expect(unknown).toBe(4 * blocks - served)
})
