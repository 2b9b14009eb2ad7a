import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildGraph } from '../../graph.js'
import { limitOf, type Pieces } from '../../math/pieces.js'
import { anyCleanMarket, anyEnds, orderOf, snapshotOf } from '../../testing/arbitraryMarkets.js'
import { solveInputOf } from '../terms.js'
import { cutTo, setCuts, uncutAll } from './problem.js'
import { relaxOrder, selectProblem } from './subgraph.js'

it('numbers tokens and edges locally, and knows their spot prices', () => {
  fc.assert(
    fc.property(anyCleanMarket, anyEnds, (pools, ends) => {
      const graph = buildGraph(snapshotOf(pools))
      const relaxation = relaxOrder(solveInputOf(graph, orderOf(pools, ends, 10n)))
      const problem = relaxation && selectProblem(relaxation)
      if (!problem) return
      const { tokens, edges, from, to, rate } = problem
      for (const i of problem.all) {
        expect(tokens[from[i]!]).toBe(graph.from[edges[i]!])
        expect(tokens[to[i]!]).toBe(graph.to[edges[i]!])
        expect(rate[i]! - graph.spot[edges[i]!]!).toBeLessThanOrEqual(1e-12 * rate[i]!)
      }
    }),
    { numRuns: 50 },
  )
})

const curve: Pieces = {
  γ: 1,
  startIn: Float64Array.of(0, 10, 30),
  startOut: Float64Array.of(0, 8, 18),
  price: Float64Array.of(1, 0.7),
  reserveIn: Float64Array.of(40, 50),
}
const twoCurves = () =>
  ({ whole: [curve, curve], pieces: [curve, curve] }) as unknown as Parameters<typeof cutTo>[0]

/** Returns true if an edge may use less than its whole curve. */
const isCut = ({ pieces, whole }: ReturnType<typeof twoCurves>, i: number) => pieces[i] !== whole[i]

it('cuts one edge at the end of a piece, and a cut at the last piece is none', () => {
  const cut = twoCurves()
  cutTo(cut, 0, 1)
  cutTo(cut, 1, 2)
  expect([isCut(cut, 0), isCut(cut, 1)]).toEqual([true, false])
  expect(limitOf(cut.pieces[0]!)).toBe(10)
  uncutAll(cut)
  expect(isCut(cut, 0)).toBe(false)
})

it('restores the cuts of some edges, and lets all others use their whole curves', () => {
  const cut = twoCurves()
  cutTo(cut, 0, 1)
  const cuts = [cut.pieces[0]!]
  uncutAll(cut)
  cutTo(cut, 1, 1)
  setCuts(cut, Int32Array.of(0), cuts)
  expect([isCut(cut, 0), isCut(cut, 1)]).toEqual([true, false])
})
