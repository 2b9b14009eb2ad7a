import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildGraph } from '../../graph.js'
import { anyCleanMarket, snapshotOf } from '../../testing/arbitraryMarkets.js'
import { incidenceOf } from './incidence.js'

it('lists every edge at both of its ends, and once at each', () => {
  fc.assert(
    fc.property(anyCleanMarket, (pools) => {
      const graph = buildGraph(snapshotOf(pools))
      const { first, edges, others, leadsOut } = incidenceOf(graph, graph.tokens.length)
      const listed: string[] = []
      for (let k = 0; k < graph.tokens.length; k++) {
        for (let s = first[k]!; s < first[k + 1]!; s++) {
          const ends = leadsOut[s] ? [k, others[s]] : [others[s], k]
          listed.push(`${edges[s]} ${ends} ${leadsOut[s]}`)
        }
      }
      const wanted = [...graph.from.keys()].flatMap((e) =>
        [1, 0].map((out) => `${e} ${graph.from[e]},${graph.to[e]} ${out}`),
      )
      expect(listed.sort()).toEqual(wanted.sort())
    }),
    { numRuns: 30 },
  )
})
