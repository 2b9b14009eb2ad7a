import { expect, it } from 'vitest'
import { buildGraph } from '../graph.js'
import { pair, snapshotOf } from '../testing/arbitraryMarkets.js'
import { growTree } from './priceTree.js'
import { cleanEdges } from './quarantine.js'

const E18 = 10n ** 18n

it.each([
  [1_000n, 4],
  [1_050n, 4],
  [2_000n, 2],
  [100n, 2],
])('judges a pool with %i instead of 1,000 units beside a deep one', (units, clean) => {
  const pools = [
    pair(0, [0, 1], [100_000n * E18, 100_000n * E18]),
    pair(1, [0, 1], [1_000n * E18, units * E18]),
  ]
  const graph = buildGraph(snapshotOf(pools))
  const isClean = cleanEdges(graph, growTree(graph))
  expect(isClean.reduce((sum, one) => sum + one, 0)).toBe(clean)
})
