import { limitOf, outOf } from '../math/pieces.js'
import type { Problem } from './problem.js'
import { gasOf } from './support.js'

/** A path of local edges with what it brings less the gas of its hops, in sink units. */
export type Path = { readonly edges: Int32Array; readonly net: number }

/**
 * For every number of hops up to `maxHops` the path that brings most for the whole amount, by
 * dynamic programming (Bellman–Ford by rounds), the best net of gas first.
 */
export function bestPaths(problem: Problem, maxHops: number, gasCost: number): readonly Path[] {
  const { edges, from, to, pieces, u, amount, source, sink } = problem
  const paths: Path[] = []
  const arrivedBy: Int32Array[] = []
  let held = new Float64Array(u.length)
  held[source] = amount
  for (let hop = 0; hop < maxHops; hop++) {
    const next = new Float64Array(u.length)
    const by = new Int32Array(u.length).fill(-1)
    for (let i = 0; i < edges.length; i++) {
      const x = held[from[i]!]!
      if (x === 0 || from[i] === sink || to[i] === source || x > limitOf(pieces[i]!)) continue
      const y = outOf(pieces[i]!, x)
      if (y > next[to[i]!]!) {
        next[to[i]!] = y
        by[to[i]!] = i
      }
    }
    arrivedBy.push(by)
    const path = next[sink]! > 0 ? trace(problem, arrivedBy) : undefined
    if (path) {
      const gas = path.reduce((sum, i) => sum + gasOf(problem, i), 0)
      paths.push({ edges: path, net: next[sink]! - gasCost * gas })
    }
    held = next
  }
  return paths.sort((a, b) => b.net - a.net || a.edges.length - b.edges.length)
}

/** The edges back from the sink, or `undefined` where they pass a token twice. */
function trace(problem: Problem, arrivedBy: readonly Int32Array[]): Int32Array | undefined {
  const { from, sink } = problem
  const path = new Int32Array(arrivedBy.length)
  const visited = new Set([sink])
  let token = sink
  for (let hop = arrivedBy.length - 1; hop >= 0; hop--) {
    const i = arrivedBy[hop]![token]!
    path[hop] = i
    token = from[i]!
    if (visited.has(token)) return undefined
    visited.add(token)
  }
  return path
}
