import { expect, it } from 'vitest'
import { piecesOf } from '../../graph.js'
import { outOf } from '../../math/pieces.js'
import { pair } from '../../testing/arbitraryMarkets.js'
import { requestFor } from '../../testing/problem.js'
import { relaxOrder } from '../network/subgraph.js'
import { boundOverPaths } from './simplePaths.js'

const E = 10n ** 24n
// The pools between 2 and 3 disagree by 4 %: together they are a cycle that earns.
const pools = [
  pair(1, [1, 2], [E, E]),
  pair(2, [2, 3], [E, E]),
  pair(3, [2, 3], [E, (E * 104n) / 100n]),
]
const request = requestFor(pools, [1, 3, 10n ** 18n])
const relaxation = relaxOrder(request)!
const edges = [...relaxation.edges.keys()]

/** The prices at the first prices of the best path. */
function pricesOf(isBest: (spot: number) => boolean) {
  const u = new Float64Array(relaxation.tokens.length)
  const { graph, from, to, sink, source } = relaxation
  const at = (of: Float64Array) => Float64Array.from(relaxation.edges, (e) => of[e]!)
  const [spot, logSpot] = [at(graph.spot), at(graph.logSpot)]
  const last = edges.find((i) => to[i] === sink && isBest(spot[i]!))!
  u[from[last]!] = logSpot[last]!
  u[source] = logSpot[edges.find((i) => from[i] === source)!]! + logSpot[last]!
  return u
}
const u = pricesOf((spot) => spot > 1)

it('is the best path at its first prices if every edge is open', () => {
  const all = Uint8Array.from(edges, () => 1)
  const { amount, path } = boundOverPaths(relaxation, u, all)!
  const best = [...path].reduce(
    (x, i) => outOf(piecesOf(relaxation.graph, relaxation.edges[i]!), x),
    1e18,
  )
  expect(path.length).toBe(2)
  expect(Number(amount)).toBeGreaterThanOrEqual(best)
  expect(Number(amount) / best).toBeCloseTo(1, 5)
})

it('is not below that path at any prices, with any edges open', () => {
  const best = 1.04 * 0.997 ** 2 * 1e18 * (1 - 1e-5)
  for (let set = 0; set < 2 ** edges.length; set++) {
    const isOpen = Uint8Array.from(edges, (i) => (set >> i) & 1)
    for (const shift of [-0.05, 0, 0.05]) {
      const moved = u.map((one, k) => (k === relaxation.source ? one + shift : one))
      const { amount } = boundOverPaths(relaxation, moved, isOpen)!
      expect(Number(amount)).toBeGreaterThanOrEqual(best)
    }
  }
})
