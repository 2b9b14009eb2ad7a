import {
  advanceMarket,
  createClient,
  examineVenue,
  loadSnapshot,
  readHeader,
} from '@braid-swap/chain'
import type { CurveStableSwapPool } from '@braid-swap/core'
import { createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comparable } from '../chain/world.js'
import { scaled } from '../draws.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { itMatchesBytecode } from './differential/itMatchesBytecode.js'
import {
  anyStableSwapMove,
  checkStableSwaps,
  createStableSwapMarket,
  paidInARow,
  type StableSwaps,
} from './differential/stableSwaps.js'

// The doubles are ours, written from the formulas; the reference vectors in packages/core show that
// the formulas are Curve's. BRAID_FUZZ_SEED: another seed.
const SEED = Number(process.env['BRAID_FUZZ_SEED'] ?? 20_261_122)
const PAID = scaled(2_100)
const [BLOCKS, MOVES_PER_BLOCK] = [scaled(30), 14]

let bare: BareChain
let market: StableSwaps

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 5, [18])
  market = await createStableSwapMarket(bare)
}, 180_000)

afterAll(() => bare?.chain.stop())

describe('core against doubles of Curve StableSwap pools', () => {
  itMatchesBytecode({
    ...{ pools: 'StableSwap pools', check: checkStableSwaps, market: () => market },
    title: 'computes outputs three times in a row by any pairs of coins, and the balances',
    offByOne: (pool) => ({ ...pool, balances: pool.balances.with(0, pool.balances[0]! + 1n) }),
    ...{ paid: PAID, refused: scaled(50) },
  })

  it('knows what a meta pool pays before its base pool swaps, and not after', async () => {
    const metas = market.pools.filter(({ ratedBy }) => ratedBy !== undefined)
    const differ: boolean[] = []
    for (const meta of metas) {
      const base = market.pools.find(({ id }) => id === meta.ratedBy)!
      const [before, after] = [
        await paidInARow(market, [meta, base]),
        await paidInARow(market, [base, meta]),
      ]
      expect(before.chain).toEqual(before.core)
      expect(after.chain[0]).toBe(after.core[0])
      differ.push(after.chain[1] !== after.core[1])
    }
    expect(differ).toContain(true)
  })
})

describe('the loader of Curve StableSwap pools', () => {
  it('follows swaps, liquidity, fees, ramps and rates as a fresh load reads them', async () => {
    const { chain, random } = bare
    const client = createClient(chain.rpcUrl)
    const venues = [market.venue]
    const load = () => loadSnapshot(client, { venues, wrappedNative: chain.wrappedNative })
    let followed = await load()
    expect(followed.setAside).toEqual([])
    const seen = { moves: 0, ramps: 0 }
    for (let block = 0; block < BLOCKS; block++) {
      const { pools, block: at } = followed.snapshot
      const own = pools.filter((pool): pool is CurveStableSwapPool => 'isNg' in pool)
      const touched = Array.from({ length: MOVES_PER_BLOCK }, () => random.pick(own))
      const calls = [...new Set(touched)].flatMap((pool) =>
        anyStableSwapMove(market, pool, at.timestamp),
      )
      await chain.execute(calls)
      seen.moves += calls.length
      const header = await readHeader(client, 'latest')
      followed = await advanceMarket(client, followed, {
        head: { header, receivedAtMs: 1 },
        venues,
      })
      expect(comparable(followed)).toEqual(comparable(await load()))
      seen.ramps += followed.snapshot.pools.filter((pool) => 'ramp' in pool).length
    }
    console.log(`${seen.moves} moves followed, ${seen.ramps} ramps seen`)
    expect(seen.moves).toBeGreaterThan(scaled(150))
    expect(seen.ramps).toBeGreaterThan(0)
  })

  it('finds each pool once, with all of its coins', async () => {
    const { chain } = bare
    const client = createClient(chain.rpcUrl)
    const options = { tokens: [], wrappedNative: chain.wrappedNative }
    const { findings } = await examineVenue(client, market.venue, options)
    expect(findings.filter(({ holds }) => holds === false)).toEqual([])
    const counts = market.pools.map(({ tokens }) => tokens.length)
    expect(Math.min(...counts)).toBe(2)
    expect(Math.max(...counts)).toBeGreaterThan(3)
    expect(new Set(market.pools.map(({ id }) => id)).size).toBe(market.pools.length)
  })
})
