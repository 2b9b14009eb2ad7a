import { createRandom, type Deployment, deployRouter } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scaled } from '../../draws.js'
import {
  type AdaptivePool,
  type AdaptiveVenue,
  describeRun,
  overNeed,
  swapInBlocks,
} from './adaptivePools.js'
import { approveAll, type BareChain, startBareChain } from './bareChain.js'
import { spareOverUsedTicks } from './tickGas.js'

const SEED = 20_261_121
const SWAPS = scaled(2_000)

/** A venue whose pools adapt their own fee, and what its tests must cover. */
export type AdaptiveCase<A extends Pick<Deployment, 'venue'>, P extends AdaptivePool> = {
  readonly title: string
  readonly family: P['family']
  readonly traders: number
  readonly create: (bare: BareChain) => Promise<A>
  /** Gas limit that the model adds for what a swap may not need, besides ticks crossed before. */
  readonly mostSpare: number
  /** Most that the model may be over the needed gas at the median; default 1.2. */
  readonly medianOver?: number
}

/** The test of such a venue: swaps through the router. */
export function describeAdaptive<A extends Pick<Deployment, 'venue'>, P extends AdaptivePool>(
  given: AdaptiveCase<A, P>,
): void {
  const { family } = given
  describe(given.title, () => {
    let bare: BareChain
    let algebra: A
    let market: AdaptiveVenue

    beforeAll(async () => {
      bare = await startBareChain(createRandom(SEED), given.traders)
      algebra = await given.create(bare)
      const { router, executor } = await deployRouter(bare.chain)
      await approveAll(bare, router)
      market = { bare, venue: algebra.venue, router, executor }
    }, 120_000)
    afterAll(() => bare?.chain.stop())

    it('has the outputs and states that core computes, to the wei and to the second', async () => {
      const run = await swapInBlocks(market, SWAPS)
      console.log(`${family}: ${describeRun(run)}`)
      const ratios = overNeed(run.gas)
      expect(ratios[0]).toBeGreaterThanOrEqual(1)
      expect(ratios[Math.floor(ratios.length / 2)]).toBeLessThan(given.medianOver ?? 1.2)
      expect(Math.max(...run.gas.map(spareOverUsedTicks))).toBeLessThanOrEqual(given.mostSpare)
      expect(run.crossing).toBeGreaterThan(scaled(200))
      expect(run.fees).toBeGreaterThan(scaled(20))
    }, 400_000)
  })
}
