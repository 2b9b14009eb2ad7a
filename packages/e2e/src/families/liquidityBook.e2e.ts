import {
  advanceMarket,
  createClient,
  examineVenue,
  loadSnapshot,
  readHeader,
} from '@braid-swap/chain'
import type { LiquidityBookPool } from '@braid-swap/core'
import { createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comparable } from '../chain/world.js'
import { scaled } from '../draws.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import {
  anyBinsMove,
  type BinsMarket,
  checkBinsSwaps,
  createBinsMarket,
} from './differential/bins.js'
import { itMatchesBytecode } from './differential/itMatchesBytecode.js'
import { binsCall } from './doubles/bins.js'

// The doubles are ours, written from the formulas; the reference vectors in packages/core show that
// the formulas are Liquidity Book's. BRAID_FUZZ_SEED: another seed.
const SEED = Number(process.env['BRAID_FUZZ_SEED'] ?? 20_261_123)
const PAID = scaled(2_100)
const [BLOCKS, MOVES_PER_BLOCK] = [scaled(30), 10]

let bare: BareChain
let market: BinsMarket

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 3, [18])
  market = await createBinsMarket(bare)
}, 180_000)

afterAll(() => bare?.chain.stop())

describe('core against doubles of Liquidity Book pairs', () => {
  itMatchesBytecode({
    ...{ pools: 'Liquidity Book pairs', check: checkBinsSwaps, market: () => market },
    title: 'computes outputs up to three times in a row at any time, and the state',
    offByOne: (pool) => ({
      ...pool,
      bins: pool.bins.map(({ id, reserves: [x, y] }) => {
        return { id, reserves: [x && x + 1n, y && y + 1n] as const }
      }),
    }),
    ...{ paid: PAID, refused: scaled(50) },
  })
})

describe('the loader of Liquidity Book pairs', () => {
  it('follows swaps, liquidity, fees and decay as a fresh load reads them', async () => {
    const { chain, random } = bare
    const client = createClient(chain.rpcUrl)
    const venues = [market.venue]
    const load = () => loadSnapshot(client, { venues, wrappedNative: chain.wrappedNative })
    let followed = await load()
    expect(followed.setAside).toEqual([])
    let moves = 0
    for (let block = 0; block < BLOCKS; block++) {
      const own = followed.snapshot.pools.filter(
        (pool): pool is LiquidityBookPool => pool.family === 'liquidityBook',
      )
      const touched = Array.from({ length: MOVES_PER_BLOCK }, () => random.pick(own))
      const calls = [...new Set(touched)].flatMap((pool) => anyBinsMove(market, pool))
      await chain.execute(calls)
      moves += calls.length
      const header = await readHeader(client, 'latest')
      followed = await advanceMarket(client, followed, {
        head: { header, receivedAtMs: 1 },
        venues,
      })
      expect(comparable(followed)).toEqual(comparable(await load()))
    }
    console.log(`${moves} moves followed`)
    expect(moves).toBeGreaterThan(scaled(150))
  })

  it('finds each pair once, and sets one with hooks aside', async () => {
    const { chain } = bare
    const client = createClient(chain.rpcUrl)
    const { wrappedNative } = chain
    const { findings } = await examineVenue(client, market.venue, { tokens: [], wrappedNative })
    expect(findings.filter(({ holds }) => holds === false)).toEqual([])
    expect(new Set(market.pools.map(({ id }) => id)).size).toBe(market.pools.length)
    const [pair] = market.pools
    await chain.execute([binsCall(chain.deployer, pair!.id, { hooks: `0x${'01'.repeat(32)}` })])
    const { setAside } = await loadSnapshot(client, { venues: [market.venue], wrappedNative })
    expect(setAside.map(({ id, code }) => [id, code])).toContainEqual([
      pair!.id,
      'POOL_FORM_UNKNOWN',
    ])
  })
})
