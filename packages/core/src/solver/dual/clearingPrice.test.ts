import { expect, it } from 'vitest'
import { pair } from '../../testing/arbitraryMarkets.js'
import { edgesOf, problemOf } from '../../testing/problem.js'
import { solveEdge } from './arbitrage.js'
import { clearingPrice, priceUnusedTokens } from './clearingPrice.js'

const E18 = 10n ** 18n

/** The price of a token that neighbours buy at `bid` and sell at `ask`, as log prices; NaN if none does. */
function priceBetween(
  bid: number,
  ask: number,
  now: number,
  netFlowAt = (_: number) => Number.NaN,
) {
  const market = {
    first: Int32Array.of(0, 2),
    edges: Int32Array.of(0, 1),
    others: Int32Array.of(1, 2),
    leadsOut: Uint8Array.of(1, 0),
    logSpot: Float64Array.of(0, 0),
  }
  return clearingPrice(market, 0, Float64Array.of(0, bid, ask), now, netFlowAt)
}

it('stays between bid and ask, and takes what is known of them without a price now', () => {
  expect(priceBetween(1, 3, 2)).toEqual({ price: 2, isQuiet: true })
  expect(priceBetween(1, 3, 9).price).toBe(3)
  expect(priceBetween(1, 3, Number.NaN).price).toBe(2)
  expect(priceBetween(1, Number.NaN, Number.NaN).price).toBe(1)
  expect(priceBetween(Number.NaN, 3, Number.NaN).price).toBe(3)
  expect(priceBetween(Number.NaN, Number.NaN, Number.NaN).price).toBeNaN()
})

it('is the root of the net flow where the bid is above the ask', () => {
  const { price, isQuiet } = priceBetween(3, 1, 2, (u) => u - 1.5)
  expect(price).toBeCloseTo(1.5, 12)
  expect(isQuiet).toBe(false)
})

it('balances a pool into a token and a pool out of it', () => {
  // Token 2 costs about 1 and sells for about 1.1: both pools trade until they agree.
  const pools = [
    pair(0, [1, 2], [100n * E18, 100n * E18]),
    pair(1, [2, 3], [100n * E18, 110n * E18]),
    pair(2, [1, 3], [100n * E18, 100n * E18]),
  ]
  const problem = problemOf(pools, [1, 3, E18])
  const [into] = edgesOf(problem, 1, 2)
  const [out] = edgesOf(problem, 2, 3)
  const k = problem.to[into!]!
  problem.u.fill(0)
  problem.ν.fill(1)
  problem.u[k] = 5
  const isUsed = Uint8Array.from(problem.u, (_, token) => (token === k ? 0 : 1))
  priceUnusedTokens(problem, isUsed, problem.u.slice())
  for (const i of [into!, out!]) solveEdge(problem, i)
  expect(problem.u[k]).toBeLessThan(Math.log(1.1))
  expect(problem.x[out!]! / problem.y[into!]!).toBeCloseTo(1, 3)
})
