import { expect, it } from 'vitest'
import { buildGraph } from '../../graph.js'
import { pair, snapshotOf, token } from '../../testing/arbitraryMarkets.js'
import { problemOf } from '../../testing/problem.js'
import { selectProblem } from '../network/subgraph.js'
import { requestOf } from '../terms.js'
import { setStartPrices } from './initialPrices.js'

const E18 = 10n ** 18n
const pools = [
  pair(0, [1, 2], [100n * E18, 200n * E18]),
  pair(1, [2, 3], [100n * E18, 100n * E18]),
  pair(2, [1, 3], [100n * E18, 199n * E18], 10_000),
]

it('prices the source by the best path, not by the first', () => {
  const { u, source, sink } = problemOf(pools, [1, 3, E18 / 1000n])
  // Two hops at 2 and 1 with fees of 0.3 % beat one at 1.99 with a fee of 1 %.
  expect(u[sink]).toBe(0)
  expect(Math.exp(u[source]!)).toBeGreaterThan(1.98)
  expect(Math.exp(u[source]!)).toBeLessThanOrEqual(2)
})

it('takes the prices that are given', () => {
  const graph = buildGraph(snapshotOf(pools))
  const order = { tokenIn: token(1), tokenOut: token(3), amountIn: E18 }
  const request = requestOf(graph, order)
  const problem = selectProblem(request)!
  expect(setStartPrices(problem, request.reference, { [token(1)]: 0.25 })).toBe(true)
  expect(problem.u[problem.source]).toBe(0.25)
})
