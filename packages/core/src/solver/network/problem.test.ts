import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildGraph } from '../../graph.js'
import { anyCleanMarket, anyEnds, orderOf, snapshotOf } from '../../testing/arbitraryMarkets.js'
import { requestOf } from '../terms.js'
import { selectProblem } from './subgraph.js'

it('numbers tokens and edges locally, and groups parallel edges by their best spot price', () => {
  fc.assert(
    fc.property(anyCleanMarket, anyEnds, (pools, ends) => {
      const graph = buildGraph(snapshotOf(pools))
      const problem = selectProblem(requestOf(graph, orderOf(pools, ends, 10n)))
      if (!problem) return
      const { tokens, edges, from, to, bundles, logSpot } = problem
      for (const i of problem.all) {
        expect(tokens[from[i]!]).toBe(graph.from[edges[i]!])
        expect(tokens[to[i]!]).toBe(graph.to[edges[i]!])
      }
      const grouped: number[] = []
      for (let b = 0; b < bundles.from.length; b++) {
        const members = [...problem.all.subarray(bundles.first[b], bundles.first[b + 1])]
        expect(bundles.logSpot[b]).toBe(Math.max(...members.map((i) => logSpot[i]!)))
        for (const i of members) expect([from[i], to[i]]).toEqual([bundles.from[b], bundles.to[b]])
        grouped.push(...members)
      }
      expect(grouped).toEqual([...problem.all])
    }),
    { numRuns: 50 },
  )
})
