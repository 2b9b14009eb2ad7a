import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildGraph, type Graph } from '../graph.js'
import { anyCleanMarket, snapshotOf } from '../testing/arbitraryMarkets.js'
import { findBlocks, tokensBetween } from './blockCutTree.js'

/** The tokens on simple paths between two tokens, by walking all of them. */
function onSimplePaths({ from, to }: Graph, source: number, sink: number): ReadonlySet<number> {
  const found = new Set<number>()
  const walk = (path: readonly number[]): void => {
    const k = path.at(-1)!
    if (k === sink) for (const passed of path) found.add(passed)
    else
      for (const [e, a] of from.entries())
        if (a === k && !path.includes(to[e]!)) walk([...path, to[e]!])
  }
  walk([source])
  return found
}

it('finds the tokens that simple paths pass', () => {
  fc.assert(
    fc.property(anyCleanMarket, (pools) => {
      const pairs = new Map(pools.map((pool) => [[...pool.tokens].sort().join(), pool]))
      const graph = buildGraph(snapshotOf([...pairs.values()]))
      const blocks = findBlocks(graph, new Uint8Array(graph.from.length).fill(1), 0)
      const tokens = tokensBetween(blocks, 0, graph.tokens.length - 1)
      expect(new Set(tokens)).toEqual(onSimplePaths(graph, 0, graph.tokens.length - 1))
    }),
    { numRuns: 40 },
  )
})
