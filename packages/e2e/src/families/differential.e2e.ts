import { createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scaled } from '../draws.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { createTally, describeTally, untilPaid } from './differential/tally.js'
import { anyPairSwap, checkPairSwap, createPairs, type Pairs } from './differential/uniswapV2.js'
import { anyConcentratedSwap, checkConcentratedSwap } from './differential/uniswapV3.js'
import {
  type ConcentratedPools,
  createConcentratedPools,
  createPancakePools,
} from './differential/uniswapV3Pools.js'

// BRAID_FUZZ_SEED: another market.
const SEED = Number(process.env['BRAID_FUZZ_SEED'] ?? 20_261_121)
const PAID = scaled(2_100)
const TOKENS = 10
const V3_POOLS = 66

let bare: BareChain
let pairs: Pairs
let joePairs: Pairs
let pools: ConcentratedPools
let pancakePools: ConcentratedPools

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), TOKENS)
  pairs = await createPairs(bare)
  joePairs = await createPairs(bare, 'traderJoe')
  pools = await createConcentratedPools(bare, V3_POOLS)
  pancakePools = await createPancakePools(bare, V3_POOLS)
})

afterAll(() => bare?.chain.stop())

describe('core against bytecode', () => {
  it('detects a difference of a single wei', async () => {
    const tally = createTally()
    const direction = { in: 0, out: 1 } as const
    const [pair] = pairs.pools
    const reserves = [pair!.reserves[0], pair!.reserves[1] + 1n] as const
    const amountIn = reserves[0]
    await checkPairSwap(pairs, { pool: { ...pair!, reserves }, direction, amountIn }, tally)
    expect(tally.mismatches.map(({ what }) => what)).toContain('reserves')
    const deep = pools.pools.find(({ liquidity }) => liquidity > 1n << 64n)!
    const pool = { ...deep, sqrtPriceX96: deep.sqrtPriceX96 + 1n }
    await checkConcentratedSwap(pools, { pool, direction, amountIn: 1_000_000n }, tally)
    expect(tally.mismatches.map(({ what }) => what)).toContain('state')
  })

  it.each([
    ['Uniswap', () => pairs],
    ['Trader Joe', () => joePairs],
  ])('answers what unmodified %s V2 pairs pay, to the wei', async (name, given) => {
    const market = given()
    const tally = createTally()
    await untilPaid(tally, PAID, () => checkPairSwap(market, anyPairSwap(market), tally))
    console.log(describeTally(`${name} V2, ${market.pools.length} pairs`, tally))
    expect(tally.mismatches).toEqual([])
    expect(tally.counts.get('paid to the wei')).toBeGreaterThan(scaled(2_000))
    expect(tally.counts.get('refused by both')).toBeGreaterThan(scaled(100))
  })

  it.each([
    ['Uniswap', () => pools],
    ['PancakeSwap', () => pancakePools],
  ])('answers what unmodified %s V3 pools pay, to the wei', async (name, given) => {
    const market = given()
    const tally = createTally()
    await untilPaid(tally, PAID, () =>
      checkConcentratedSwap(market, anyConcentratedSwap(market), tally),
    )
    console.log(describeTally(`${name} V3, ${market.pools.length} pools`, tally))
    expect(tally.mismatches).toEqual([])
    expect(tally.counts.get('paid to the wei')).toBeGreaterThan(scaled(2_000))
    expect(tally.counts.get('of them across ticks')).toBeGreaterThan(scaled(500))
    expect(tally.counts.get('refused: leaves input over')).toBeGreaterThan(scaled(100))
    expect(tally.counts.get('refused: pays nothing')).toBeGreaterThan(scaled(100))
  })
})
