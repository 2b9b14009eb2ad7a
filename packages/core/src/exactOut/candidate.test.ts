import { expect, it } from 'vitest'
import { curveOf, searchAt } from '../curve/curve.js'
import { buildGraph } from '../graph.js'
import { pair, snapshotOf, token } from '../testing/arbitraryMarkets.js'
import { candidateOf } from './candidate.js'

// At the prices of each sale, the route of the smaller one looked cheaper though it took up to 24 bp more input.
it('counts the gas of two routes alike, however little their last units pay', () => {
  const E18 = 10n ** 18n
  const pools = [pair(1, [1, 2], [E18, E18]), pair(2, [0, 2], [E18, E18])]
  const graph = buildGraph(snapshotOf(pools, 10n ** 9n))
  const ends = { tokenIn: token(1), tokenOut: token(2) }
  const curve = curveOf(graph, ends, {})
  const [small, large] = [E18 / 2n, 40n * E18].map((amountIn) => searchAt(curve, amountIn)!)
  const { amountOut } = large!
  const [one, other] = [small, large].map((sale) => {
    const { cost, bracket } = candidateOf(curve, sale!, { ...ends, amountOut })!
    return cost / Number(bracket.high) - 1
  })
  expect(one).toBeGreaterThan(0)
  expect(one).toBeCloseTo(other!, 12)
})
