import { swapLayouts } from '@braid-swap/core/families'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFullRun, isShortRun, scaled } from '../draws.js'
import { distanceOf, type OrderWish, pairsThrough } from './execution/orders.js'
import { performOrders } from './execution/performOrders.js'
import {
  executedOf,
  feeOf,
  gasErrorsByFamily,
  hopsOf,
  legsOf,
  type Performed,
  paymentOf,
  poolTypesOf,
} from './execution/report.js'
import { startWorld, type World } from './execution/world.js'

const SEED = 999
const ORDERS = scaled(340)
/** A run, unless it is short, continues until {@link missingOf} is empty, but makes no more orders than this. */
const MAX_TRIES = 680
/** The longest single path that the service searches. */
const MAX_HOPS = 5
/** The model's gas may be this far from what the node needs, in percent, as the median of a family's orders. */
const GAS_ERROR = { below: -5, above: 20 }
/** The least orders through a family of which the median says something. */
const ORDERS_OF_A_MEDIAN = 10

let world: World

beforeAll(async () => {
  world = await startWorld(SEED)
})

afterAll(() => world?.stop())

/** The families that the router swaps in. */
const called = Object.entries(swapLayouts).flatMap(([name, layout]) => (layout ? [name] : []))

/** Lists what a run must cover and has not covered yet: outcomes, payments, ends, lengths of paths and families. */
function missingOf(performed: readonly Performed[]): readonly string[] {
  const executed = executedOf(performed)
  const seen = new Set<string>([
    ...executed.map(({ outcome }) => outcome.end),
    ...executed.map((one) => `${hopsOf(one)} hops`),
    ...executed.flatMap(poolTypesOf),
    ...executed.map(paymentOf),
    ...executed.map(feeOf),
    ...executed.map(({ order }) => order.kind),
  ])
  const lengths = [0, 1, 2, 3, 4].map((hops) => `${hops} hops`)
  const paid = ['value', 'approval', 'Permit2', 'a fee', 'native in', 'native out']
  const wanted = ['stopped', 'above floor', ...paid, ...lengths, ...called]
  return wanted.filter((one) => !seen.has(one))
}

/**
 * Once half of the orders are made: how to draw one that covers what is missing. A family is crossed
 * between tokens on both sides of its pools; an order stops where another account moves its pools and
 * its slippage allows nothing.
 */
function wishFor({ devnet, api }: World, performed: readonly Performed[]): OrderWish {
  if (executedOf(performed).length < ORDERS / 2) return {}
  const missing = missingOf(performed)
  const { pools } = api.market.current()!.graph.snapshot
  const families = called.filter((family) => missing.includes(family))
  return {
    pairs: families.flatMap((family) => pairsThrough(devnet, pools, family)),
    ...(missing.includes('stopped') && { slippage: '0', race: 'a pool of the route' }),
  }
}

describe('a quote', () => {
  it('invariant 14: equals the amount received, to the wei, or is below it with sampled pools, while others trade', async () => {
    const { performed, faults } = await performOrders(world, {
      ...{ wishFor: (before) => wishFor(world, before), maxTries: MAX_TRIES },
      isComplete: (before) =>
        executedOf(before).length >= ORDERS && (isShortRun || missingOf(before).length === 0),
    })
    const executed = executedOf(performed)
    const count = (holds: (one: (typeof executed)[number]) => boolean) =>
      executed.filter(holds).length
    expect(faults).toEqual([])
    expect(executed.length).toBeGreaterThanOrEqual(scaled(320))
    const asQuoted = count(({ outcome }) => /^exact|^above quote$/.test(outcome.end))
    expect(asQuoted).toBeGreaterThanOrEqual(scaled(250))
    expect(count(({ outcome }) => outcome.end === 'above quote')).toBeLessThan(asQuoted / 2)
    if (!isShortRun) expect(missingOf(performed)).toEqual([])
    const rescaled = executed.filter(({ outcome }) => outcome.isRescaled)
    expect(rescaled.length).toBeGreaterThan(scaled(100))
    if (isFullRun)
      expect(new Set(rescaled.flatMap(poolTypesOf))).toEqual(new Set([...called, 'wrap', 'unwrap']))
    const gasErrors = gasErrorsByFamily(executed, ORDERS_OF_A_MEDIAN)
    expect(gasErrors.size).toBeGreaterThanOrEqual(isFullRun ? 12 : isShortRun ? 0 : 1)
    const { below, above } = GAS_ERROR
    expect([...gasErrors].filter(([, error]) => error < below || error > above)).toEqual([])
    expect(count((one) => legsOf(one) > hopsOf(one))).toBeGreaterThan(scaled(50))
    const { pools } = world.api.market.current()!.graph.snapshot
    expect(new Set(pools.map(({ family }) => family))).toEqual(new Set([...called, 'wrap']))
    // No order of some value is refused, unless its tokens are further apart than the longest path.
    const refused = performed.filter(
      ({ order, outcome }) =>
        outcome.end === 'refused' &&
        order.usd > 1 &&
        distanceOf(world.devnet, order.src, order.dst) <= MAX_HOPS,
    )
    expect(refused).toEqual([])
  })
})
