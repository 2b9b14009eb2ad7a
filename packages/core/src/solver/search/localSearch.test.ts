import { expect, it } from 'vitest'
import { pair } from '../../testing/arbitraryMarkets.js'
import { problemOf } from '../../testing/problem.js'
import { minimiseDual } from '../dual/newton.js'
import { searchLocally } from './localSearch.js'
import { prune } from './prune.js'

const E18 = 10n ** 18n
const charges = { gasCost: 0, maxLegs: 3, maxGas: Number.POSITIVE_INFINITY, maxHops: 9, floor: 0 }
const pools = [
  pair(0, [1, 3], [40n * E18, 40n * E18]),
  pair(1, [1, 2], [100n * E18, 100n * E18]),
  pair(2, [2, 3], [100n * E18, 100n * E18]),
]

/** The problem at the optimum over the direct pool alone, and the prices over all edges. */
function directOnly() {
  const problem = problemOf(pools, [1, 3, 10n * E18])
  minimiseDual(problem, problem.all, 1e-9)
  const dualPrices = problem.u.slice()
  const direct = problem.all.filter((i) => problem.graph.poolOf[problem.edges[i]!] === 0)
  return { problem, dualPrices, first: prune(problem, direct, charges) }
}

it('adds a pair of pools through a token not yet passed', () => {
  const { problem, dualPrices, first } = directOnly()
  expect(first.edges.length).toBe(1)
  const found = searchLocally(problem, dualPrices, first, charges)
  expect(found.edges.length).toBe(3)
  expect(found.value).toBeGreaterThan(first.value * 1.05)
})
