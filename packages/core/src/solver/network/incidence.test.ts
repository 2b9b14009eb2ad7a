import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildGraph } from '../../graph.js'
import { anyCleanMarket, snapshotOf } from '../../testing/arbitraryMarkets.js'
import { incidenceOf } from './incidence.js'

it('lists every edge at both of its ends, and once at each', () => {
  fc.assert(
    fc.property(anyCleanMarket, (pools) => {
      const graph = buildGraph(snapshotOf(pools))
      const listed = incidenceOf(graph, graph.tokens.length).flatMap((around, k) =>
        around.map(({ edge, other, leadsOut }) => {
          return `${edge} ${leadsOut ? [k, other] : [other, k]} ${leadsOut}`
        }),
      )
      const wanted = [...graph.from.keys()].flatMap((e) =>
        [true, false].map((out) => `${e} ${graph.from[e]},${graph.to[e]} ${out}`),
      )
      expect(listed.sort()).toEqual(wanted.sort())
    }),
    { numRuns: 30 },
  )
})
