import { expect, it } from 'vitest'
import { transactionGasOf } from '../../replay.js'
import { pair } from '../../testing/arbitraryMarkets.js'
import { problemOf, requestFor } from '../../testing/problem.js'
import { boundAt } from '../bound/upperBound.js'
import { minimiseDual } from '../dual/newton.js'
import { relaxOrder } from '../network/subgraph.js'
import type { Options } from '../terms.js'
import { bestSplit } from './bestSplit.js'

const E18 = 10n ** 18n
const pools = [1, 2, 3, 4].map((n) => pair(n, [1, 2], [100n * E18, 100n * E18]))
const sale = [1, 2, 8n * E18] as const

function splitOf(
  options: Options,
  market = pools,
  order: readonly [number, number, bigint] = sale,
) {
  const problem = problemOf(market, order)
  const request = requestFor(market, order, options)
  minimiseDual(problem, problem.all)
  const relaxation = relaxOrder(request)!
  const prices = problem.u.slice()
  return bestSplit({ problem, relaxation, prices, bound: boundAt(relaxation, prices) }, request)
}

it('uses as many equal pools as legs are allowed', () => {
  expect(splitOf({})!.edges.length).toBe(4)
  expect(splitOf({ maxLegs: 2 })!.edges.length).toBe(2)
})

it('fits the cap on gas', () => {
  const gasOf = (options: Options) => transactionGasOf(splitOf(options)!.route)
  const maxGas = gasOf({}) - 1
  expect(gasOf({ maxGas })).toBeLessThanOrEqual(maxGas)
  expect(splitOf({ maxGas })!.edges.length).toBe(3)
})

it('grows by a path that is longer than single paths may be', () => {
  // Seven pools in a row pay more than the one between the ends.
  const row = [1, 2, 3, 4, 5, 6, 7].map((n) => pair(n, [n, n + 1], [E18 * 1000n, E18 * 1003n]))
  const direct = pair(9, [1, 8], [E18 * 1000n, E18 * 1000n])
  const { edges } = splitOf({}, [...row, direct], [1, 8, E18])!
  expect(edges.length).toBeGreaterThanOrEqual(row.length)
})
