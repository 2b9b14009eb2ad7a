import { expect, it } from 'vitest'
import { getSqrtPriceAtTick } from '../../math/tickMath.js'
import type { Pool } from '../../pools/index.js'
import { pair, token } from '../../testing/arbitraryMarkets.js'
import { edgesOf, problemOf } from '../../testing/problem.js'
import { gasAfter, gasAt } from './gas.js'

const E18 = 10n ** 18n
const ranges: Pool = {
  ...{ family: 'uniswapV3', id: `0x${'31'.repeat(20)}`, venue: 'test', feePpm: 500 },
  ...{ tokens: [token(1), token(2)], tickSpacing: 60, tick: 0, liquidity: 1000n * E18 },
  sqrtPriceX96: getSqrtPriceAtTick(0),
  ticks: [
    { index: -1200, liquidityNet: 500n * E18 },
    { index: -60, liquidityNet: 500n * E18 },
    { index: 60, liquidityNet: -500n * E18 },
    { index: 1200, liquidityNet: -500n * E18 },
  ],
}

it('charges an edge for every tick that its flow crosses, and never below its least', () => {
  const problem = problemOf([ranges], [1, 2, E18])
  const [i] = edgesOf(problem, 1, 2)
  const { graph, edges } = problem
  const e = edges[i!]!
  const [within, beyond] = [gasAt(problem, i!, 1e18), gasAt(problem, i!, 1e19)]
  expect(within).toBeGreaterThanOrEqual(graph.gas[e]!)
  expect(beyond - within).toBeGreaterThanOrEqual(graph.stepGas[e]!)
  expect(graph.stepGas[e]).toBeGreaterThan(0)
})

it('lets a pair be paid by the pair before it, without the gas of custody', () => {
  const pools = [pair(0, [1, 2], [E18, E18]), pair(1, [2, 3], [E18, E18])]
  const problem = problemOf(pools, [1, 3, E18 / 100n])
  const [first, second] = [edgesOf(problem, 1, 2)[0]!, edgesOf(problem, 2, 3)[0]!]
  expect(gasAfter(problem, first, second, 1e16)).toBe(
    gasAt(problem, second, 1e16) - problem.graph.custodyGas[problem.edges[second]!]!,
  )
})
