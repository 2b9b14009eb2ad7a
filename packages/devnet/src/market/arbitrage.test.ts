import { afterAll, beforeAll, expect, test } from 'vitest'
import { marketTokens } from '../chains/tokenList.js'
import { type Devnet, startDevnet } from '../devnet.js'
import { correctPrice } from './arbitrage.js'
import { NOISE_OF_FEE } from './marketPlan.js'
import { readPrice } from './trader.js'

let devnet: Devnet

beforeAll(async () => {
  devnet = await startDevnet({ seed: 5 })
})

afterAll(() => devnet.stop())

/** The distance of each pool from the price table, as a fraction of its fee. */
async function gaps(): Promise<readonly number[]> {
  const usdPerWei = new Map(marketTokens.map((t) => [t.address, t.usdPrice / 10 ** t.decimals]))
  return Promise.all(
    devnet.pools.map(async (pool) => {
      const fair = usdPerWei.get(pool.tokens[0])! / usdPerWei.get(pool.tokens[1])!
      const price = await readPrice(devnet, pool)
      return Math.abs(Math.log(price / fair)) / (pool.feePpm / 1e6)
    }),
  )
}

test('a fresh market needs no arbitrage', async () => {
  expect(await devnet.arbitrage()).toEqual([])
})

test('it closes the trader’s gaps in the same block, in pools of every family', async () => {
  const families = new Set(devnet.pools.map(({ family }) => family))
  const corrected = new Set<string>()
  for (let block = 0; block < 60 && corrected.size < families.size; block++) {
    await devnet.trade(3)
    const hashes = await devnet.arbitrage()
    await devnet.mine()
    const receipts = await Promise.all(
      hashes.map((hash) => devnet.client.getTransactionReceipt({ hash })),
    )
    expect(receipts.filter(({ status }) => status !== 'success')).toEqual([])
    const pools = receipts.flatMap(({ logs }) =>
      logs.flatMap(({ address }) => devnet.pools.find((it) => it.address === address) ?? []),
    )
    for (const { family } of pools) corrected.add(family)
    expect(Math.max(...(await gaps()))).toBeLessThan(NOISE_OF_FEE * 1.01)
  }
  expect([...corrected].sort()).toEqual(['algebraIntegral', 'algebraV1', 'uniswapV2', 'uniswapV3'])
})

test('a gap above the tolerance is closed from either side, a smaller one is left', () => {
  const pool = {
    ...{ fairPrice: 4, feePpm: 3000 },
    amounts: [10n ** 18n, 4n * 10n ** 18n] as const,
  }
  const tolerated = NOISE_OF_FEE * 0.003
  expect(correctPrice(pool, 4 * Math.exp(tolerated * 0.99))).toBeUndefined()
  expect(correctPrice(pool, 4 * Math.exp(-tolerated * 0.99))).toBeUndefined()
  // x·y = k: to lower the price by 21 %, x must grow from k/1.1 to k.
  const above = correctPrice(pool, 4 * 1.21)!
  expect(above.tokenIn).toBe(0)
  expect(Number(above.amountIn) / 1e18).toBeCloseTo((1 - 1 / 1.1) / 0.997, 9)
  expect(correctPrice(pool, 4 / 1.21)?.tokenIn).toBe(1)
})

test('nothing is sent if there is no liquidity between the prices', () => {
  const positions = [{ tickLower: 100, tickUpper: 200, liquidity: 10n ** 18n }]
  const pool = { fairPrice: 1, feePpm: 500, amounts: [10n ** 15n, 0n] as const, positions }
  expect(correctPrice(pool, 1.0001 ** 50)).toBeUndefined()
})
