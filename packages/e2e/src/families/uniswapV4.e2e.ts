import type { Hex } from '@braid-swap/core'
import { createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFullRun, scaled } from '../draws.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { examined } from './differential/examined.js'
import { itFollows, movedFamily } from './differential/itFollows.js'
import { createTally, describeTally, untilPaid } from './differential/tally.js'
import {
  anyCreation,
  anyKey,
  anyUniswapV4Move,
  checkUniswapV4Swaps,
  createUniswapV4Market,
  type UniswapV4Market,
} from './differential/uniswapV4Pools.js'
import { idOf, type PoolKey } from './doubles/uniswapV4.js'

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

describe('the loader of Uniswap V4 pools', () => {
  const keys = new Map<Hex, PoolKey>()

  itFollows({
    title: 'follows swaps, liquidity, donations, fees and new pools as a fresh load reads them',
    bare: () => bare,
    moved: () => {
      for (const [id, key] of market.keys) keys.set(id, key)
      const known = { ...market, keys }
      return [movedFamily('uniswapV4', [market.v4.venue], (pool) => anyUniswapV4Move(known, pool))]
    },
    others: (block) => {
      const key = anyKey(bare, block)
      if (block % 3 !== 0 || keys.has(idOf(key))) return []
      keys.set(idOf(key), key)
      return anyCreation(bare, market.v4, key)
    },
    ...{ blocks: scaled(30), movesPerBlock: 12, leastCalls: scaled(150) },
    afterwards: async (following) => {
      expect(following.market().setAside).toEqual([])
      // The manager accepts these, and never calls their hooks before the first swap.
      const plain = { ...anyKey(bare, 0), fee: 3_000, tickSpacing: 60 }
      const refused = ['80', '40', '08c0'].map((bits) => ({
        ...{ ...plain, hooks: `0x${bits.padStart(40, '0')}` as const },
      }))
      const donated = `0x${'20'.padStart(40, '0')}` as const
      const { setAside } = await following.next(
        [...refused, { ...plain, fee: 0x800000, hooks: donated }].map(
          (key) => anyCreation(bare, market.v4, key)[0]!,
        ),
      )
      expect(setAside.map(({ code }) => code)).toEqual(
        [...refused, plain].map(() => 'POOL_FORM_UNKNOWN'),
      )
    },
  })

  it('is examined by doctor without a wrong finding', async () => {
    const findings = await examined(bare.chain, market.v4.venue)
    expect(findings.filter(({ holds }) => holds === false)).toEqual([])
    expect(findings.find(({ check }) => check === 'pools read')?.holds).toBe(true)
  })
})
