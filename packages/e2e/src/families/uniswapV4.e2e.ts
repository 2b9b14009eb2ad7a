import {
  advanceMarket,
  createClient,
  examineVenue,
  loadSnapshot,
  readHeader,
} from '@braid-swap/chain'
import type { UniswapV4Pool } from '@braid-swap/core'
import { createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comparable } from '../chain/world.js'
import { isFullRun, scaled } from '../draws.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { createTally, describeTally, untilPaid } from './differential/tally.js'
import {
  anyCreation,
  anyKey,
  anyUniswapV4Move,
  checkUniswapV4Swaps,
  createUniswapV4Market,
  type UniswapV4Market,
} from './differential/uniswapV4Pools.js'
import { idOf } from './doubles/uniswapV4.js'

// Uniswap's own bytecode, from its package. BRAID_FUZZ_SEED: another seed.
const SEED = Number(process.env['BRAID_FUZZ_SEED'] ?? 20_261_122)
const PAID = scaled(2_100)
const [BLOCKS, MOVES_PER_BLOCK] = [scaled(30), 12]

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
  it('follows swaps, liquidity, donations, fees and new pools as a fresh load reads them', async () => {
    const { chain, random } = bare
    const client = createClient(chain.rpcUrl)
    const venues = [market.v4.venue]
    const load = () => loadSnapshot(client, { venues, wrappedNative: chain.wrappedNative })
    const next = async (calls: Parameters<typeof chain.execute>[0]) => {
      await chain.execute(calls)
      const header = await readHeader(client, 'latest')
      followed = await advanceMarket(client, followed, {
        head: { header, receivedAtMs: 1 },
        venues,
      })
      expect(comparable(followed)).toEqual(comparable(await load()))
    }
    const keys = new Map(market.keys)
    const follows = { ...market, keys }
    let followed = await load()
    expect(followed.setAside).toEqual([])
    let moves = 0
    for (let block = 0; block < BLOCKS; block++) {
      const own = followed.snapshot.pools.filter(
        (pool): pool is UniswapV4Pool => pool.family === 'uniswapV4',
      )
      const touched = Array.from({ length: MOVES_PER_BLOCK }, () => random.pick(own))
      const calls = [...new Set(touched)].flatMap((pool) => anyUniswapV4Move(follows, pool))
      const key = anyKey(bare, block)
      const isNew = block % 3 === 0 && !keys.has(idOf(key))
      if (isNew) keys.set(idOf(key), key)
      await next([...calls, ...(isNew ? anyCreation(bare, market.v4, key) : [])])
      moves += calls.length
    }
    console.log(`${moves} moves followed, ${keys.size - market.keys.size} new pools`)
    expect(moves).toBeGreaterThan(scaled(150))
    expect(followed.setAside).toEqual([])

    // The manager accepts these, and never calls their hooks before the first swap.
    const plain = { ...anyKey(bare, 0), fee: 3_000, tickSpacing: 60 }
    const refused = ['80', '40', '08c0'].map((bits) => ({
      ...{ ...plain, hooks: `0x${bits.padStart(40, '0')}` as const },
    }))
    const donated = `0x${'20'.padStart(40, '0')}` as const
    await next(
      [...refused, { ...plain, fee: 0x800000, hooks: donated }].map(
        (key) => anyCreation(bare, market.v4, key)[0]!,
      ),
    )
    expect(followed.setAside.map(({ code }) => code)).toEqual(
      [...refused, plain].map(() => 'POOL_FORM_UNKNOWN'),
    )
  })

  it('is examined by doctor without a wrong finding', async () => {
    const { rpcUrl, wrappedNative } = bare.chain
    const options = { tokens: [], wrappedNative }
    const { findings } = await examineVenue(createClient(rpcUrl), market.v4.venue, options)
    expect(findings.filter(({ holds }) => holds === false)).toEqual([])
    expect(findings.find(({ check }) => check === 'pools read')?.holds).toBe(true)
  })
})
