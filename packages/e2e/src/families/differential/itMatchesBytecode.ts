import { expect, it } from 'vitest'
import { createTally, describeTally, type Tally, untilPaid } from './tally.js'

type AnyMarket = { readonly pools: readonly object[] }

/** Tells {@link itMatchesBytecode} about a family. */
type Matching<Market extends AnyMarket> = {
  /** Names the pools in the printed counts. */
  readonly pools: string
  /** Says what the second test shows. */
  readonly title: string
  /** The market; called in the tests, because it is created before them. */
  readonly market: () => Market
  /** The pool with a state that differs by a wei. */
  readonly offByOne: (pool: Market['pools'][number]) => Market['pools'][number]
  /** Compares one random swap or chain of swaps. */
  readonly check: (market: Market, tally: Tally) => Promise<void>
  /** The comparisons with pools that are off by one. */
  readonly tries?: number
  readonly paid: number
  /** The swaps that both sides refuse, at least. */
  readonly refused: number
  /** The swaps of other outcomes, at least. */
  readonly least?: Readonly<Record<string, number>>
}

/** Two tests: the comparison detects a difference of a wei, and there is none. */
export function itMatchesBytecode<Market extends AnyMarket>(of: Matching<Market>): void {
  it('detects a difference of a single wei', async () => {
    const tally = createTally()
    const market = of.market()
    const wrong = { ...market, pools: market.pools.map(of.offByOne) }
    for (let i = 0; i < (of.tries ?? 20); i++) await of.check(wrong, tally)
    expect(tally.mismatches.length).toBeGreaterThan(0)
  })

  it(of.title, async () => {
    const tally = createTally()
    const market = of.market()
    await untilPaid(tally, of.paid, () => of.check(market, tally))
    console.log(describeTally(`${market.pools.length} ${of.pools}`, tally))
    expect(tally.mismatches).toEqual([])
    for (const [outcome, least] of Object.entries({ 'refused by both': of.refused, ...of.least })) {
      expect(tally.counts.get(outcome), outcome).toBeGreaterThan(least)
    }
  })
}
