import { describe, expect, it } from 'vitest'
import { buildGraph } from '../../graph.js'
import { toHex } from '../../hex.js'
import type { Pool } from '../../pools/index.js'
import { pair, snapshotOf, token } from '../../testing/arbitraryMarkets.js'
import { freeTerms, problemOf } from '../../testing/problem.js'
import { minimiseDual } from '../dual/newton.js'
import { solve } from '../solve.js'
import { prune } from './prune.js'

const E18 = 10n ** 18n
const DEPTHS = [11n, 3n, 8n, 2n, 5n, 13n]
const pools = DEPTHS.map((depth, n) => pair(n, [1, 2], [depth * E18, depth * E18]))

it.each([1, 2, 3, 4])(
  'keeps the best %i of six parallel pools, as every subset shows',
  (maxLegs) => {
    const problem = problemOf(pools, [1, 2, 4n * E18])
    const { edges, value } = prune(problem, problem.all, { ...freeTerms, maxLegs })
    expect(edges.length).toBe(maxLegs)
    let best = 0
    for (let mask = 1; mask < 2 ** DEPTHS.length; mask++) {
      const subset = problem.all.filter((i) => (mask >> i) & 1)
      if (subset.length > maxLegs) continue
      best = Math.max(best, minimiseDual(problem, subset).bound)
    }
    expect(value / best).toBeCloseTo(1, 6)
  },
)

it('drops pools that are not worth their gas', () => {
  const problem = problemOf(pools, [1, 2, E18 / 100n])
  const terms = { ...freeTerms, maxLegs: 6, gasCost: 1e12 }
  expect(prune(problem, problem.all, terms).edges.length).toBe(1)
})

describe('an order that is larger than the good pools', () => {
  /** A pool at price 1 that takes about 3 % of its liquidity. */
  const narrow = (id: number, tokens: readonly [number, number]): Pool => ({
    ...{ family: 'uniswapV3', id: toHex(id, 20), venue: 'test', feePpm: 500, tickSpacing: 10 },
    ...{ tokens: [token(tokens[0]), token(tokens[1])], sqrtPriceX96: 2n ** 96n, tick: 0 },
    liquidity: 10n ** 6n * E18,
    ticks: [
      { index: -600, liquidityNet: 10n ** 6n * E18 },
      { index: 600, liquidityNet: -(10n ** 6n) * E18 },
    ],
  })

  it('keeps the poor pool without which the source cannot place the amount', () => {
    const pools = [
      narrow(1, [1, 2]),
      narrow(2, [1, 2]),
      pair(3, [1, 2], [1_000n * E18, 1_000n * E18]),
    ]
    const order = { tokenIn: token(1), tokenOut: token(2), amountIn: 70_000n * E18 }
    const { amountOut, route } = solve(buildGraph(snapshotOf(pools)), order, { maxLegs: 2 })!
    expect(route.map(({ pool }) => pool)).toContain(pools[2])
    expect(amountOut).toBeGreaterThan(29_000n * E18)
  })

  it('keeps the poor pool that takes the rest, and drops others to meet the cap on legs', () => {
    const pools = [
      ...[narrow(1, [1, 3]), narrow(2, [1, 2])],
      ...[
        pair(3, [2, 3], [10n ** 7n * E18, 10n ** 7n * E18]),
        pair(4, [1, 3], [1_000n * E18, 1_000n * E18]),
      ],
    ]
    const order = { tokenIn: token(1), tokenOut: token(3), amountIn: 100_000n * E18 }
    const graph = buildGraph(snapshotOf(pools))
    for (const maxLegs of [2, 3]) {
      const { amountOut, route } = solve(graph, order, { maxLegs, maxGas: 1e9 })!
      expect(route.length).toBe(2)
      expect(amountOut).toBeGreaterThan(29_000n * E18)
    }
  })
})
