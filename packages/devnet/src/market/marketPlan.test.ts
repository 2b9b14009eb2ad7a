import { expect, test } from 'vitest'
import { type MarketPool, marketPools, quietPools } from '../chains/market.js'
import { marketTokens } from '../chains/tokenList.js'
import { NOISE_OF_FEE, type PlannedPool, planPools, type TickSpacings } from './marketPlan.js'
import { createRandom } from './random.js'

const V3_SPACINGS = { 100: 1, 500: 10, 3000: 60, 10000: 200 }
const TICK_SPACINGS: TickSpacings = {
  'devnet-v3a': V3_SPACINGS,
  'devnet-v3b': V3_SPACINGS,
  'devnet-pv3': { 100: 1, 500: 10, 2500: 50, 10000: 200 },
  'devnet-algebra': { 100: 60 },
  'devnet-algebrav1': { 100: 60 },
}
const SEEDS = [0, 1, 2, 3, 12345, 2 ** 40 + 7, -5]

test('the same seed plans the same pools, another seed plans others', () => {
  expect(plan(7)).toEqual(plan(7))
  expect(plan(7)).not.toEqual(plan(8))
})

test.each(SEEDS)('seed %s: prices are within their tolerance of the fair prices', (seed) => {
  for (const pool of plan(seed)) {
    // Rounding of a V2 reserve in a token with few decimals is less than a millionth.
    const tolerance = NOISE_OF_FEE * (pool.feePpm / 1e6) + 1e-6
    expect(Math.abs(Math.log(priceOf(pool) / pool.fairPrice))).toBeLessThan(tolerance)
  }
})

test.each(SEEDS)('seed %s: depths are uneven, from 5 thousand to 5 million dollars', (seed) => {
  const depths = plan(seed).map(depthOf)
  expect(Math.min(...depths)).toBeGreaterThan(4_999)
  expect(Math.max(...depths)).toBeLessThan(5_000_001)
  expect(Math.max(...depths) / Math.min(...depths)).toBeGreaterThan(100)
})

test.each(SEEDS)('seed %s: positions match the depth and the tick spacing', (seed) => {
  for (const { positions = [], feePpm, venue } of plan(seed)) {
    const spacing = TICK_SPACINGS[venue]?.[feePpm] ?? 1
    for (const { tickLower, tickUpper, liquidity } of positions) {
      expect([tickLower % spacing, tickUpper % spacing].map(Math.abs)).toEqual([0, 0])
      expect(tickLower).toBeLessThan(tickUpper)
      expect(liquidity).toBeGreaterThan(0n)
    }
  }
})

test('a shape with unknown tokens or fees is rejected', () => {
  const [pool] = marketPools
  const planOne = (changed: object) =>
    planPools([{ ...pool!, ...changed }], marketTokens, TICK_SPACINGS, createRandom(1))
  expect(() => planOne({ symbols: ['WHYPE', 'DOGE'] })).toThrow(
    expect.objectContaining({ code: 'UNKNOWN_NAME' }),
  )
  expect(() => planOne({ feePpm: 42 })).toThrow(expect.objectContaining({ code: 'UNKNOWN_NAME' }))
})

test('the market has parallel pools, all V3 fees, and tokens up to four hops apart', () => {
  const pairs = new Map<string, number>()
  for (const { symbols } of marketPools) {
    pairs.set(symbols.join(), (pairs.get(symbols.join()) ?? 0) + 1)
  }
  expect(marketPools.length).toBeGreaterThanOrEqual(48)
  expect([...pairs.values()].filter((count) => count >= 2).length).toBeGreaterThanOrEqual(15)
  const v3Fees = marketPools.filter((pool) => pool.venue.includes('v3')).map((pool) => pool.feePpm)
  expect([...new Set(v3Fees)].sort((a, b) => a - b)).toEqual([100, 500, 2500, 3000, 10000])
  expect(new Set(marketPools.map((pool) => pool.venue)).size).toBe(8)
  expect(hopsBetween('feUSD', 'USD₮0')).toBe(2)
  expect(hopsBetween('feUSD', 'WHYPE')).toBe(3)
  expect(hopsBetween('JEFF', 'KNTQ')).toBe(4)
})

test('a venue has at most one pool per pair and fee', () => {
  const keys = marketPools.map(
    ({ symbols, venue, feePpm }) => `${[...symbols].sort().join()} ${venue} ${feePpm}`,
  )
  expect(new Set(keys).size).toBe(keys.length)
})

test('random numbers are uniform, normal and reproducible', () => {
  const random = createRandom(3)
  const uniform = Array.from({ length: 20_000 }, random.next)
  expect(Math.min(...uniform)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...uniform)).toBeLessThan(1)
  expect(mean(uniform)).toBeCloseTo(0.5, 1)
  const normal = Array.from({ length: 20_000 }, random.normal)
  expect(mean(normal)).toBeCloseTo(0, 1)
  expect(mean(normal.map((x) => x * x))).toBeCloseTo(1, 1)
  expect(createRandom(3).next()).toBe(uniform[0])
  expect(createRandom(3, 1).next()).not.toBe(uniform[0])
})

function plan(seed: number): readonly PlannedPool[] {
  return planPools(marketPools, marketTokens, TICK_SPACINGS, createRandom(seed))
}

/** The actual initial price of a pool: the ratio of its reserves, or its √price. */
function priceOf(pool: PlannedPool): number {
  return pool.positions === undefined
    ? Number(pool.amounts[1]) / Number(pool.amounts[0])
    : (Number(pool.sqrtPriceX96) / 2 ** 96) ** 2
}

function depthOf(pool: PlannedPool): number {
  return pool.tokens.reduce((sum, address, i) => {
    const { usdPrice, decimals } = marketTokens.find((token) => token.address === address)!
    return sum + (Number(pool.amounts[i]) / 10 ** decimals) * usdPrice
  }, 0)
}

/** The minimum number of pools between two tokens (breadth-first search). */
function hopsBetween(from: string, to: string): number {
  let reached = new Set([from])
  for (let hops = 0; hops < 10; hops++) {
    if (reached.has(to)) return hops
    const touched = marketPools.filter(({ symbols }) => symbols.some((s) => reached.has(s)))
    reached = new Set([...reached, ...touched.flatMap(({ symbols }) => symbols)])
  }
  return Number.POSITIVE_INFINITY
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, x) => sum + x, 0) / values.length
}

test('a thousand pools are planned in the proportions of the market, each once', () => {
  const symbols = marketTokens.map(({ symbol }) => symbol)
  const quiet = quietPools(1_000 - marketPools.length, symbols)
  const pools = [...marketPools, ...quiet]
  expect(pools).toHaveLength(1_000)
  const plans = planPools(pools, marketTokens, TICK_SPACINGS, createRandom(1))
  const keys = plans.map(({ venue, tokens, feePpm }) => [venue, ...tokens, feePpm].join())
  expect(new Set(keys).size).toBe(1_000)
  for (const { venue } of marketPools) {
    const share = (of: readonly MarketPool[]) =>
      of.filter((pool) => pool.venue === venue).length / of.length
    expect(share(pools)).toBeCloseTo(share(marketPools), 1)
  }
})
