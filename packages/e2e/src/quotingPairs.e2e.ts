import { createRandom } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BareChain, startBareChain } from './differential/bareChain.js'
import { checkQuotingSwap, createQuotingPairs } from './differential/quotingPairs.js'
import { createTally, describeTally, untilPaid } from './differential/tally.js'

const SEED = 20_261_121
const PAID = 2_100
const TOKENS = 8

let bare: BareChain
let kinds: Awaited<ReturnType<typeof createQuotingPairs>>

beforeAll(async () => {
  // Past 18 decimals a stable pair is left out.
  bare = await startBareChain(createRandom(SEED), TOKENS, [0, 6, 8, 18])
  kinds = await createQuotingPairs(bare)
})

afterAll(() => bare?.chain.stop())

// The doubles are ours, written from the formulas: they show that reserves, fees and refusals go
// together; that the formulas are right, the reference vectors show.
describe('core against doubles of pairs that quote for themselves', () => {
  it('answers what they pay through the executor, and the reserves they keep', async () => {
    for (const market of kinds) {
      const tally = createTally()
      await untilPaid(tally, PAID, () => checkQuotingSwap(market, tally))
      console.log(describeTally(`${market.kind}, ${market.pools.length} doubles`, tally))
      expect(tally.mismatches).toEqual([])
      expect(tally.counts.get('paid to the wei')).toBeGreaterThan(2_000)
      expect(tally.counts.get('refused by both')).toBeGreaterThan(100)
    }
  })
})
