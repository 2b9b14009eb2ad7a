import { expect, it } from 'vitest'
import { pair } from '../../testing/arbitraryMarkets.js'
import { edgesOf, problemOf } from '../../testing/problem.js'
import { solveEdge } from './arbitrage.js'
import { clearingPrice, priceUnusedTokens } from './clearingPrice.js'

const E18 = 10n ** 18n

it('stays between bid and ask, and takes what is known of them without a price now', () => {
  const never = () => Number.NaN
  expect(clearingPrice({ bid: 1, ask: 3 }, 2, never)).toBe(2)
  expect(clearingPrice({ bid: 1, ask: 3 }, 9, never)).toBe(3)
  expect(clearingPrice({ bid: 1, ask: 3 }, Number.NaN, never)).toBe(2)
  expect(clearingPrice({ bid: 1, ask: Number.POSITIVE_INFINITY }, Number.NaN, never)).toBe(1)
  expect(clearingPrice({ bid: Number.NEGATIVE_INFINITY, ask: 3 }, Number.NaN, never)).toBe(3)
})

it('is the root of the net flow where the bid is above the ask', () => {
  expect(clearingPrice({ bid: 3, ask: 1 }, 2, (price) => price - 1.5)).toBeCloseTo(1.5, 12)
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
