import { createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scaled } from '../draws.js'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { examined } from './differential/examined.js'
import { itFollows, movedFamily } from './differential/itFollows.js'
import {
  anyStableSwapMove,
  createStableSwapMarket,
  paidInARow,
  type StableSwaps,
} from './differential/stableSwaps.js'

// The doubles are ours and make situations; rows of deployed code judge the formulas, in packages/core.
// BRAID_FUZZ_SEED: another seed.
const SEED = Number(process.env['BRAID_FUZZ_SEED'] ?? 20_261_122)

let bare: BareChain
let market: StableSwaps

beforeAll(async () => {
  bare = await startBareChain(createRandom(SEED), 5, [18])
  market = await createStableSwapMarket(bare)
}, 180_000)

afterAll(() => bare?.chain.stop())

describe('a meta pool of Curve StableSwap', () => {
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
  itFollows({
    title: 'follows swaps, liquidity, fees, ramps and rates as a fresh load reads them',
    bare: () => bare,
    moved: () => [
      movedFamily('curveStableSwap', [market.venue], (pool, timestamp) =>
        anyStableSwapMove(market, pool, timestamp),
      ),
    ],
    ...{ blocks: scaled(30), movesPerBlock: 14, leastCalls: scaled(150), least: { ramps: 0 } },
    seen: ({ snapshot: { pools } }) => ({ ramps: pools.filter((pool) => 'ramp' in pool).length }),
  })

  it('finds each pool once, with all of its coins', async () => {
    const findings = await examined(bare.chain, market.venue)
    expect(findings.filter(({ holds }) => holds === false)).toEqual([])
    const counts = market.pools.map(({ tokens }) => tokens.length)
    expect(Math.min(...counts)).toBe(2)
    expect(Math.max(...counts)).toBeGreaterThan(3)
    expect(new Set(market.pools.map(({ id }) => id)).size).toBe(market.pools.length)
  })
})
