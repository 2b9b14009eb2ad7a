import { expect, it } from 'vitest'
import { pair } from '../../testing/arbitraryMarkets.js'
import { problemOf } from '../../testing/problem.js'
import { minimiseDual } from '../dual/newton.js'
import { prune } from './prune.js'

const E18 = 10n ** 18n
const DEPTHS = [11n, 3n, 8n, 2n, 5n, 13n]
const pools = DEPTHS.map((depth, n) => pair(n, [1, 2], [depth * E18, depth * E18]))
const free = { gasCost: 0, maxGas: Number.POSITIVE_INFINITY, maxHops: 9, floor: 0 }

it.each([1, 2, 3, 4])(
  'keeps the best %i of six parallel pools, as every subset shows',
  (maxLegs) => {
    const problem = problemOf(pools, [1, 2, 4n * E18])
    const { edges, value } = prune(problem, problem.all, { ...free, maxLegs })
    expect(edges.length).toBe(maxLegs)
    let best = 0
    for (let mask = 1; mask < 2 ** DEPTHS.length; mask++) {
      const subset = problem.all.filter((i) => (mask >> i) & 1)
      if (subset.length > maxLegs) continue
      best = Math.max(best, minimiseDual(problem, subset, 1e-10).bound)
    }
    expect(value / best).toBeCloseTo(1, 6)
  },
)

it('drops pools that are not worth their gas', () => {
  const problem = problemOf(pools, [1, 2, E18 / 100n])
  const charges = { ...free, maxLegs: 6, gasCost: 1e12 }
  expect(prune(problem, problem.all, charges).edges.length).toBe(1)
})
