import { parseSnapshot, stringifySnapshot } from '@braid-swap/core'
import { createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scaled } from '../draws.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import {
  anyCryptoSwapMove,
  type CryptoSwaps,
  createCryptoSwapMarket,
} from './differential/cryptoSwaps.js'
import { examined } from './differential/examined.js'
import { itFollows, movedFamily } from './differential/itFollows.js'

// The doubles are ours and make situations; rows of deployed code judge the formulas, in packages/core.
// BRAID_FUZZ_SEED: another seed.
const SEED = Number(process.env['BRAID_FUZZ_SEED'] ?? 20_261_123)

let bare: BareChain
let market: CryptoSwaps

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 5, [18])
  market = await createCryptoSwapMarket(bare)
}, 180_000)

afterAll(() => bare?.chain.stop())

describe('the loader of Curve Twocrypto and Tricrypto pools', () => {
  const scales = new Set<string>()

  itFollows({
    title: 'follows swaps, liquidity, fees, ramps and price scales as a fresh load reads them',
    bare: () => bare,
    moved: () => [
      movedFamily('curveCrypto', [market.venue], (pool, timestamp) =>
        anyCryptoSwapMove(market, pool, timestamp),
      ),
    ],
    ...{ blocks: scaled(30), movesPerBlock: 12, leastCalls: scaled(120), least: { ramps: 0 } },
    seen: ({ snapshot }) => {
      // The door for snapshots compares the invariant that a pool keeps with its balances.
      expect(parseSnapshot(stringifySnapshot(snapshot))).toEqual(snapshot)
      for (const pool of snapshot.pools) {
        if (pool.family === 'curveCrypto') scales.add(`${pool.id} ${pool.priceScales}`)
      }
      return { ramps: snapshot.pools.filter((pool) => 'ramp' in pool).length }
    },
    afterwards: () => expect(scales.size).toBeGreaterThan(market.pools.length),
  })

  it('finds each pool once, with all of its coins', async () => {
    const findings = await examined(bare.chain, market.venue)
    expect(findings.filter(({ holds }) => holds === false)).toEqual([])
    const counts = market.pools.map(({ tokens }) => tokens.length)
    expect(new Set(counts)).toEqual(new Set([2, 3]))
    expect(new Set(market.pools.map(({ id }) => id)).size).toBe(market.pools.length)
  })
})
