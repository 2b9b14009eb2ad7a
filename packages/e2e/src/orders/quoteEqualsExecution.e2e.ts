import { families } from '@braid-swap/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyInteger } from '../families/differential/integers.js'
import { createOrders, distanceOf } from './execution/orders.js'
import { perform } from './execution/perform.js'
import {
  describeOrder,
  describeRun,
  executedOf,
  hopsOf,
  legsOf,
  type Performed,
  poolTypesOf,
} from './execution/report.js'
import { startWorld, type World } from './execution/world.js'

const SEED = 999
const ORDERS = 340
/** The longest single path that the service searches. */
const MAX_HOPS = 5

let world: World

beforeAll(async () => {
  world = await startWorld(SEED)
})

afterAll(() => world?.stop())

describe('a quote', () => {
  it('invariant 14: equals the amount received, to the wei, or is below it with sampled pools, while others trade', async () => {
    const faults: string[] = []
    const performed: Performed[] = []
    const next = await createOrders(world.devnet, world.random)
    for (let tries = 0; executedOf(performed).length < ORDERS && tries < 2 * ORDERS; tries++) {
      await world.devnet.trade(anyInteger(world.random, 0, 3))
      await world.devnet.mine()
      const order = next()
      const found: string[] = []
      const outcome = await perform(world, order, found)
      faults.push(...found.map((fault) => `${tries}: ${fault}: ${describeOrder(order)}`))
      performed.push({ order, outcome })
    }
    console.log(describeRun(performed))
    const executed = executedOf(performed)
    const count = (holds: (one: (typeof executed)[number]) => boolean) =>
      executed.filter(holds).length
    expect(faults).toEqual([])
    expect(executed.length).toBeGreaterThanOrEqual(320)
    const asQuoted = count(({ outcome }) => /^exact|^above quote$/.test(outcome.end))
    expect(asQuoted).toBeGreaterThanOrEqual(250)
    expect(count(({ outcome }) => outcome.end === 'above quote')).toBeLessThan(asQuoted / 2)
    expect(count(({ outcome }) => outcome.end === 'stopped')).toBeGreaterThan(0)
    expect(count(({ outcome }) => outcome.end === 'above floor')).toBeGreaterThan(0)
    const hops = new Set(executed.map(hopsOf))
    expect([0, 1, 2, 3, 4].filter((wanted) => !hops.has(wanted))).toEqual([])
    expect(count((one) => legsOf(one) > hopsOf(one))).toBeGreaterThan(50)
    const crossed = new Set(executed.flatMap(poolTypesOf))
    const called = Object.entries(families).flatMap(([name, f]) => (f.swapLayout ? [name] : []))
    expect(new Set(world.venues.map(({ family }) => family))).toEqual(new Set(called))
    for (const family of called) expect(crossed).toContain(family)
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
