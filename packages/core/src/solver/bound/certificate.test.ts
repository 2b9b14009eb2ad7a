import { expect, it } from 'vitest'
import { pair } from '../../testing/arbitraryMarkets.js'
import { problemOf, requestFor } from '../../testing/problem.js'
import { solveArbitrage } from '../dual/arbitrage.js'
import { minimiseDual } from '../dual/newton.js'
import { priceOutside } from '../dual/outside.js'
import { boundBetween, certify } from './certificate.js'

const E18 = 10n ** 18n
const deep = (units: bigint) => [units * E18, units * E18] as const
const pools = [pair(0, [1, 2], deep(100n)), pair(1, [1, 3], deep(300n)), pair(2, [3, 2], deep(80n))]

/** The problem of an order with everything evaluated at the dual's minimum, moved by `shift`. */
function pricedAt(shift: number) {
  const problem = problemOf(pools, [1, 2, 7n * E18])
  minimiseDual(problem, problem.all)
  problem.u[problem.source]! += shift
  solveArbitrage(problem, problem.all)
  const request = requestFor(pools, [1, 2, 7n * E18])
  return { problem, rest: priceOutside(problem, request), request }
}

it('is lowest at the minimum of the dual if gas is free, and has its prices by address', () => {
  const { request, ...best } = pricedAt(0)
  const atBest = certify(best.problem, best.rest, request)
  for (const shift of [-0.02, 0.02]) {
    const { problem, rest } = pricedAt(shift)
    expect(certify(problem, rest, request).amount).toBeGreaterThan(atBest.amount)
  }
  const { prices, gasMultiplier } = atBest
  expect(Object.keys(prices).length).toBe(3)
  expect(prices[request.order.tokenOut]).toBe(0)
  expect(gasMultiplier).toBe(request.terms.gasCost)
})

it('finds prices on a line that are better than both ends', () => {
  const [low, high] = [pricedAt(-0.02), pricedAt(0.03)]
  const ends = [low, high].map(({ problem, rest, request }) => certify(problem, rest, request))
  const lines = [low.problem.u.slice(), high.problem.u.slice()] as const
  const between = boundBetween(high.problem, lines, high.request)
  for (const end of ends) expect(between.amount).toBeLessThan(end.amount)
  const { problem, rest, request } = pricedAt(0)
  const excess = Number(between.amount) / Number(certify(problem, rest, request).amount) - 1
  expect(excess).toBeLessThan(1e-4)
})
