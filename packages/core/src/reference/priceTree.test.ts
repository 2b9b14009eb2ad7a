import { expect, it } from 'vitest'
import { buildGraph } from '../graph.js'
import { pair, snapshotOf, token } from '../testing/arbitraryMarkets.js'
import { followTree, growTree } from './priceTree.js'

const E18 = 10n ** 18n
const market = (depth: bigint) =>
  buildGraph(
    snapshotOf([
      pair(0, [0, 1], [100n * E18, 200n * E18]),
      pair(1, [0, 2], [depth * E18, 2n * depth * E18]),
      pair(2, [1, 2], [50n * E18, 50n * E18]),
      pair(3, [7, 8], [E18, E18]),
    ]),
  )

it('prices a token along its widest path', () => {
  const graph = market(10n)
  const { price, edgeInto, component } = growTree(graph)
  const at = (n: number) => graph.tokenNumber.get(token(n))!
  expect(price[at(1)]).toBeCloseTo(0.5, 12)
  // Token 2 is reached through token 1, whose pools are deeper than its own with the root.
  expect(graph.from[edgeInto[at(2)]!]).toBe(at(1))
  expect(component[at(7)]).not.toBe(component[at(1)])
})

it('follows the tree of another state to the tree that grows there', () => {
  const [before, after] = [growTree(market(10n)), market(1000n)]
  const followed = followTree(after, before)!
  expect(followed.edgeInto).toEqual(growTree(after).edgeInto)
  expect(followed.price).toEqual(growTree(after).price)
  expect(followed.edgeInto).not.toEqual(before.edgeInto)
})
