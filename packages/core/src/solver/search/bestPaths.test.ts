import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildGraph } from '../../graph.js'
import { anyCleanMarket, anyEnds, orderOf, snapshotOf } from '../../testing/arbitraryMarkets.js'
import { setStartPrices } from '../dual/initialPrices.js'
import { selectProblem } from '../network/subgraph.js'
import { requestOf } from '../terms.js'
import { bestPaths, pathLimitsOf } from './bestPaths.js'

const WANTED = 3

describe('the best paths', () => {
  it('are no worse if only the best few are requested', () => {
    let found = 0
    fc.assert(
      fc.property(
        anyCleanMarket,
        anyEnds,
        fc.constantFrom(2n, 50n, 10_000n, 10n ** 9n),
        fc.constantFrom(0n, 10n ** 6n, 10n ** 9n),
        (pools, ends, part, gasPrice) => {
          const graph = buildGraph(snapshotOf(pools, gasPrice))
          const order = orderOf(pools, ends, part)
          const request = requestOf(graph, order)
          const problem = selectProblem(request)
          if (!problem || !setStartPrices(problem, request.reference, {})) return
          const limits = pathLimitsOf(request)
          const all = bestPaths(problem, limits).slice(0, WANTED)
          const few = bestPaths(problem, { ...limits, wanted: WANTED })
          found += all.length
          for (const [n, { net }] of all.entries()) expect(few[n]!.net).toBeGreaterThanOrEqual(net)
        },
      ),
      { numRuns: 500, endOnFailure: true },
    )
    expect(found).toBeGreaterThan(300)
  })
})
