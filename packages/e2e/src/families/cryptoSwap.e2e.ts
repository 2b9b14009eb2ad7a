import {
  advanceMarket,
  createClient,
  examineVenue,
  loadSnapshot,
  readHeader,
} from '@braid-swap/chain'
import { type CurveCryptoPool, parseSnapshot, stringifySnapshot } from '@braid-swap/core'
import { createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comparable } from '../chain/world.js'
import { scaled } from '../draws.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import {
  anyCryptoSwapMove,
  type CryptoSwaps,
  checkCryptoSwaps,
  createCryptoSwapMarket,
} from './differential/cryptoSwaps.js'
import { itMatchesBytecode } from './differential/itMatchesBytecode.js'

// The doubles are ours, written from the formulas; the reference vectors in packages/core show that
// the formulas are Curve's. BRAID_FUZZ_SEED: another seed.
const SEED = Number(process.env['BRAID_FUZZ_SEED'] ?? 20_261_123)
const PAID = scaled(2_000)
const [BLOCKS, MOVES_PER_BLOCK] = [scaled(30), 12]

let bare: BareChain
let market: CryptoSwaps

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 5, [18])
  market = await createCryptoSwapMarket(bare)
}, 180_000)

afterAll(() => bare?.chain.stop())

describe('core against doubles of Curve Twocrypto and Tricrypto pools', () => {
  itMatchesBytecode({
    ...{ pools: 'CryptoSwap pools', check: checkCryptoSwaps, market: () => market },
    title: 'computes outputs in a row by any pairs of coins, and the state after them',
    offByOne: (pool) => ({ ...pool, balances: pool.balances.with(0, pool.balances[0]! + 1n) }),
    ...{ paid: PAID, refused: scaled(50) },
  })
})

describe('the loader of Curve Twocrypto and Tricrypto pools', () => {
  it('follows swaps, liquidity, fees, ramps and price scales as a fresh load reads them', async () => {
    const { chain, random } = bare
    const client = createClient(chain.rpcUrl)
    const venues = [market.venue]
    const load = () => loadSnapshot(client, { venues, wrappedNative: chain.wrappedNative })
    let followed = await load()
    expect(followed.setAside).toEqual([])
    const seen = { moves: 0, ramps: 0, scales: new Set<string>() }
    for (let block = 0; block < BLOCKS; block++) {
      const { pools, block: at } = followed.snapshot
      const own = pools.filter((pool): pool is CurveCryptoPool => 'priceScales' in pool)
      const touched = Array.from({ length: MOVES_PER_BLOCK }, () => random.pick(own))
      const calls = [...new Set(touched)].flatMap((pool) =>
        anyCryptoSwapMove(market, pool, at.timestamp),
      )
      await chain.execute(calls)
      seen.moves += calls.length
      const header = await readHeader(client, 'latest')
      followed = await advanceMarket(client, followed, {
        head: { header, receivedAtMs: 1 },
        venues,
      })
      expect(comparable(followed)).toEqual(comparable(await load()))
      // The door for snapshots compares the invariant that a pool keeps with its balances.
      expect(parseSnapshot(stringifySnapshot(followed.snapshot))).toEqual(followed.snapshot)
      seen.ramps += followed.snapshot.pools.filter((pool) => 'ramp' in pool).length
      for (const pool of own) seen.scales.add(`${pool.id} ${pool.priceScales}`)
    }
    console.log(
      `${seen.moves} moves, ${seen.ramps} ramps, ${seen.scales.size} price scales followed`,
    )
    expect(seen.moves).toBeGreaterThan(scaled(120))
    expect(seen.ramps).toBeGreaterThan(0)
    expect(seen.scales.size).toBeGreaterThan(market.pools.length)
  })

  it('finds each pool once, with all of its coins', async () => {
    const { chain } = bare
    const client = createClient(chain.rpcUrl)
    const options = { tokens: [], wrappedNative: chain.wrappedNative }
    const { findings } = await examineVenue(client, market.venue, options)
    expect(findings.filter(({ holds }) => holds === false)).toEqual([])
    const counts = market.pools.map(({ tokens }) => tokens.length)
    expect(new Set(counts)).toEqual(new Set([2, 3]))
    expect(new Set(market.pools.map(({ id }) => id)).size).toBe(market.pools.length)
  })
})
