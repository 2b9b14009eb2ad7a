import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildGraph } from '../../graph.js'
import { anyCleanMarket, pair, snapshotOf } from '../../testing/arbitraryMarkets.js'
import { edgesOf, problemOf } from '../../testing/problem.js'
import { solveEdge } from './arbitrage.js'
import { clearingPrice, incidenceOf, priceUnusedTokens, rootBetween } from './clearingPrice.js'

const E18 = 10n ** 18n

/** The price of a token that neighbours buy at `bid` and sell at `ask`, as log prices; NaN if none does. */
function priceBetween(
  bid: number,
  ask: number,
  now: number,
  netFlowAt = (_: number) => Number.NaN,
) {
  const around = [
    { edge: 0, other: 1, leadsOut: true },
    { edge: 1, other: 2, leadsOut: false },
  ]
  return clearingPrice(around, Float64Array.of(0, 0), Float64Array.of(0, bid, ask), now, netFlowAt)
}

it('stays between bid and ask, and takes what is known of them without a price now', () => {
  expect(priceBetween(1, 3, 2)).toBe(2)
  expect(priceBetween(1, 3, 9)).toBe(3)
  expect(priceBetween(1, 3, Number.NaN)).toBe(2)
  expect(priceBetween(1, Number.NaN, Number.NaN)).toBe(1)
  expect(priceBetween(Number.NaN, 3, Number.NaN)).toBe(3)
  expect(priceBetween(Number.NaN, Number.NaN, Number.NaN)).toBeNaN()
})

it('is the root of the net flow where the bid is above the ask', () => {
  expect(priceBetween(3, 1, 2, (u) => u - 1.5)).toBeCloseTo(1.5, 12)
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
  const direct = Int32Array.from(edgesOf(problem, 1, 3))
  const isPassed = priceUnusedTokens(problem, direct, problem.u.slice())
  expect([...isPassed.keys()].filter((token) => !isPassed[token])).toEqual([k])
  for (const i of [into!, out!]) solveEdge(problem, i)
  expect(problem.u[k]).toBeLessThan(Math.log(1.1))
  expect(problem.x[out!]! / problem.y[into!]!).toBeCloseTo(1, 3)
})

it('finds the root of a line exactly', () => {
  expect(rootBetween(-3, 5, (u) => 2 * u - 1)).toBeCloseTo(0.5, 12)
})

it('leaves less than a tenth of the bracket around the root of a curve, and stays inside', () => {
  fc.assert(
    fc.property(fc.double({ min: -1, max: 1, noNaN: true }), (root) => {
      const found = rootBetween(-1.5, 1.5, (u) => Math.exp(u) - Math.exp(root))
      expect(found).toBeGreaterThanOrEqual(-1.5)
      expect(found).toBeLessThanOrEqual(1.5)
      expect(Math.abs(found - root)).toBeLessThan(0.3)
    }),
  )
})

it('lists every edge at both of its ends, and once at each', () => {
  fc.assert(
    fc.property(anyCleanMarket, (pools) => {
      const graph = buildGraph(snapshotOf(pools))
      const listed = incidenceOf(graph, graph.tokens.length).flatMap((around, k) =>
        around.map(({ edge, other, leadsOut }) => {
          return `${edge} ${leadsOut ? [k, other] : [other, k]} ${leadsOut}`
        }),
      )
      const wanted = [...graph.from.keys()].flatMap((e) =>
        [true, false].map((out) => `${e} ${graph.from[e]},${graph.to[e]} ${out}`),
      )
      expect(listed.sort()).toEqual(wanted.sort())
    }),
    { numRuns: 30 },
  )
})
