import { expect, it } from 'vitest'
import { relaxOrder, selectProblem } from '../solver/network/subgraph.js'
import { pair, token } from '../testing/arbitraryMarkets.js'
import { requestFor } from '../testing/problem.js'
import { initialPrices } from './initialPrices.js'

const E18 = 10n ** 18n
const pools = [pair(0, [1, 2], [100n * E18, 200n * E18]), pair(1, [2, 3], [100n * E18, 300n * E18])]
const request = requestFor(pools, [1, 3, E18 / 1000n])
const problem = selectProblem(relaxOrder(request)!)!

it('prices tokens at the reference prices, in units of the token out', () => {
  const u = initialPrices(problem, request.reference, {})
  expect(u[problem.sink]).toBe(0)
  expect(Math.exp(u[problem.source]!) / 6).toBeCloseTo(1, 2)
})

it('takes the prices that are given, but for the token out', () => {
  const u = initialPrices(problem, request.reference, { [token(1)]: 0.25, [token(3)]: 1 })
  expect(u[problem.source]).toBe(0.25)
  expect(u[problem.sink]).toBe(0)
})
