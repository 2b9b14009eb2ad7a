import { createClient, loadSnapshot } from '@braid-swap/chain'
import type { Pool } from '@braid-swap/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { erc20Abi, uniswapV3Abi } from './abis.js'
import { marketTokens } from './chains/tokenList.js'
import { type Devnet, SMALL_BLOCK_GAS, startDevnet } from './devnet.js'
import { NOISE_OF_FEE } from './market/marketPlan.js'
import { readPrice } from './market/trader.js'

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet({ seed: 42 })
})

afterAll(() => devnet.stop())

test('it is chain 999 with small blocks', async () => {
  expect(await devnet.client.getChainId()).toBe(999)
  const block = await devnet.client.getBlock()
  expect(block.gasLimit).toBe(SMALL_BLOCK_GAS)
  expect(block.timestamp).toBe(1_700_000_000n + block.number)
})

test('every pool buys below and sells above the fair price, so no round trip gains', async () => {
  const usdPerWei = new Map(marketTokens.map((t) => [t.address, t.usdPrice / 10 ** t.decimals]))
  for (const pool of devnet.pools) {
    const [token0, token1] = pool.tokens
    const fair = usdPerWei.get(token0)! / usdPerWei.get(token1)!
    const distance = Math.abs(Math.log((await readPrice(devnet, pool)) / fair))
    expect(distance).toBeLessThan(NOISE_OF_FEE * (pool.feePpm / 1e6) + 1e-6)
  }
})

test('a swap of a third of its depth crosses ticks in every V3 pool, several on average', async () => {
  const quoters = devnet.deployments.filter((deployment) => 'quoter' in deployment)
  const quoterOf = new Map(quoters.map(({ venue, quoter }) => [venue.id, quoter]))
  const pools = devnet.pools.filter(({ venue }) => quoterOf.has(venue))
  let crossed = 0
  for (const pool of pools) {
    const [tokenIn, tokenOut] = pool.tokens
    const balance = await devnet.client.readContract({
      ...{ address: tokenIn, abi: erc20Abi, functionName: 'balanceOf', args: [pool.address] },
    })
    const { result } = await devnet.client.simulateContract({
      address: quoterOf.get(pool.venue)!,
      abi: uniswapV3Abi,
      functionName: 'quoteExactInputSingle',
      args: [
        {
          ...{ tokenIn, tokenOut, fee: pool.feePpm },
          ...{ amountIn: balance / 3n, sqrtPriceLimitX96: 0n },
        },
      ],
    })
    const [amountOut, , ticksCrossed] = result
    expect(amountOut).toBeGreaterThan(0n)
    expect(ticksCrossed).toBeGreaterThan(0)
    crossed += ticksCrossed
  }
  expect(crossed / pools.length).toBeGreaterThan(2)
})

test('the loader of chains finds every pool and sets none aside', async () => {
  const {
    state: { snapshot, setAside },
  } = await load(devnet)
  expect(setAside).toEqual([])
  const loaded = snapshot.pools.filter(({ family }) => family !== 'wrap')
  expect(sortedIds(loaded)).toEqual(devnet.pools.map(({ address }) => address).sort())
})

test('the same seed and trades give the same blocks and pools, another seed others', async () => {
  const [a, b] = await Promise.all([1, 1].map((seed) => startDevnet({ seed })))
  try {
    // The devnet of the other tests has another seed.
    const seeded = await a!.client.getBlock()
    const other = await devnet.client.getBlock({ blockNumber: seeded.number })
    expect(other.stateRoot).not.toBe(seeded.stateRoot)
    for (const it of [a!, b!]) {
      for (let block = 0; block < 5; block++) {
        await it.trade(4)
        await it.mine()
      }
    }
    const [blockA, blockB] = await Promise.all([a!, b!].map((it) => it.client.getBlock()))
    expect(blockB?.hash).toBe(blockA?.hash)
    expect(b!.pools).toEqual(a!.pools)
    const [poolsA, poolsB] = await Promise.all([load(a!), load(b!)])
    expect(poolsB.state.snapshot.pools).toEqual(poolsA.state.snapshot.pools)
  } finally {
    await Promise.all([a, b].map((it) => it?.stop()))
  }
  // Two devnets at once, on a machine that may be busy.
}, 180_000)

test('the trader moves the market: every swap succeeds and most pools move', async () => {
  const before = await Promise.all(devnet.pools.map((pool) => readPrice(devnet, pool)))
  for (let block = 0; block < 40; block++) {
    const hashes = await devnet.trade(5)
    expect(hashes).toHaveLength(5)
    await devnet.mine()
    for (const hash of hashes) {
      const receipt = await devnet.client.getTransactionReceipt({ hash })
      expect(receipt.status).toBe('success')
      expect(receipt.from).toBe(devnet.trader.address)
    }
  }
  const after = await Promise.all(devnet.pools.map((pool) => readPrice(devnet, pool)))
  const moves = after.map((price, i) => Math.abs(Math.log(price / before[i]!)))
  expect(moves.filter((move) => move > 0).length).toBeGreaterThan(devnet.pools.length * 0.8)
  expect(Math.max(...moves)).toBeLessThan(0.5)
})

test('swaps that do not fit in a block wait for the next', async () => {
  const hashes = await devnet.trade(30)
  for (let block = 0; block < 5; block++) await devnet.mine()
  const receipts = await Promise.all(
    hashes.map((hash) => devnet.client.getTransactionReceipt({ hash })),
  )
  expect(new Set(receipts.map(({ blockNumber }) => blockNumber)).size).toBeGreaterThan(1)
})

test('startTrader throws with manual mining', () => {
  expect(() => devnet.startTrader({ swapsPerBlock: 1 })).toThrow(
    expect.objectContaining({ code: 'MANUAL_MINING' }),
  )
})

function load({ rpcUrl, venues, wrappedNative }: Devnet): ReturnType<typeof loadSnapshot> {
  return loadSnapshot(createClient(rpcUrl), { venues, wrappedNative })
}

function sortedIds(pools: readonly Pool[]): readonly string[] {
  return pools.map(({ id }) => id).sort()
}
