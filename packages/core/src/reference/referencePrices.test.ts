import { expect, it } from 'vitest'
import { buildGraph } from '../graph.js'
import { pair, snapshotOf, token } from '../testing/arbitraryMarkets.js'
import { referenceOf, setAsideOf, throughputOf } from './referencePrices.js'

const E18 = 10n ** 18n
const stale = pair(2, [1, 2], [10n * E18, 40n * E18])
const graph = buildGraph(
  snapshotOf([
    pair(0, [0, 1], [100n * E18, 200n * E18]),
    pair(1, [0, 2], [100n * E18, 100n * E18]),
    stale,
    pair(3, [7, 8], [E18, E18]),
  ]),
)
const at = (n: number) => graph.tokenNumber.get(token(n))!

it('values tokens in the native one, as far as pools connect them to it', () => {
  const { price, isValued } = referenceOf(graph)
  expect(price[at(1)]).toBeCloseTo(0.5, 12)
  expect(price[at(2)]).toBeCloseTo(1, 12)
  expect([1, 2, 7, 8].map((n) => isValued[at(n)])).toEqual([1, 1, 0, 0])
})

it('sets a pool far off these prices aside', () => {
  expect(setAsideOf(graph, referenceOf(graph))).toEqual([stale.id])
})

it('ranks tokens by the depth of their second deepest neighbour', () => {
  expect(throughputOf(graph, referenceOf(graph)).ranked).toEqual([at(0)])
})
