import { expect, it } from 'vitest'
import { pair } from '../../testing/arbitraryMarkets.js'
import { problemOf } from '../../testing/problem.js'
import { minimiseDual } from '../dual/newton.js'
import { reroutingCosts } from './reroutingCost.js'

const E18 = 10n ** 18n

it('predicts the loss of each of several parallel pools to a few per cent', () => {
  const depths = [1n, 2n, 3n, 5n, 8n, 8n, 13n]
  const pools = depths.map((depth, i) => pair(i, [1, 2], [depth * 100n * E18, depth * 100n * E18]))
  const problem = problemOf(pools, [1, 2, 40n * E18])
  const { bound, laplacian } = minimiseDual(problem, problem.all, 1e-12)
  const { all, from, ν, x, surplus } = problem
  const costOf = reroutingCosts(problem, laplacian)
  const predicted = Array.from(all, (i) => surplus[i]! + (ν[from[i]!]! * x[i]!) ** 2 * costOf(i))
  const prices = problem.u.slice()
  for (const i of all) {
    problem.u.set(prices)
    const rest = minimiseDual(
      problem,
      all.filter((e) => e !== i),
      1e-12,
    )
    const loss = bound - rest.bound
    expect(predicted[i]! / loss).toBeGreaterThan(0.95)
    expect(predicted[i]! / loss).toBeLessThan(1.05)
  }
})
