import { createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFullRun, scaled } from '../draws.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { createTally, describeTally, untilPaid } from './differential/tally.js'
import {
  checkUniswapV4Swaps,
  createUniswapV4Market,
  type UniswapV4Market,
} from './differential/uniswapV4Pools.js'

// Uniswap's own bytecode, from its package. BRAID_FUZZ_SEED: another seed.
const SEED = Number(process.env['BRAID_FUZZ_SEED'] ?? 20_261_122)
const PAID = scaled(2_100)

let bare: BareChain
let market: UniswapV4Market

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 6)
  market = await createUniswapV4Market(bare, isFullRun ? 60 : 10)
}, 180_000)

afterAll(() => bare?.chain.stop())

describe('core against Uniswap’s manager', () => {
  it('detects a difference of a single ppm', async () => {
    const tally = createTally()
    const pools = market.pools.map((pool) => ({ ...pool, lpFeePpm: pool.lpFeePpm + 1 }))
    for (let i = 0; i < 20; i++) await checkUniswapV4Swaps({ ...market, pools }, tally)
    expect(tally.mismatches.length).toBeGreaterThan(0)
  })

  it('computes outputs three times in a row in both directions, and the state', async () => {
    const tally = createTally()
    await untilPaid(tally, PAID, () => checkUniswapV4Swaps(market, tally))
    console.log(describeTally(`${market.pools.length} pools of Uniswap V4`, tally))
    expect(tally.mismatches).toEqual([])
    expect(tally.counts.get('refused by both')).toBeGreaterThan(scaled(50))
    expect(tally.counts.get('paid by a pool of the native token')).toBeGreaterThan(PAID / 20)
    expect(tally.counts.get('paid with a protocol fee')).toBeGreaterThan(PAID / 10)
  })
})
