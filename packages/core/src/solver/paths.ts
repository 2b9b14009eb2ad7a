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
      if (y > next[to[i]!]! && !passes(problem, arrivedBy, from[i]!, to[i]!)) {
        next[to[i]!] = y
        by[to[i]!] = i
      }
    }
    arrivedBy.push(by)
    if (next[sink]! > 0) {
      const path = trace(problem, arrivedBy)
      const gas = path.reduce((sum, i) => sum + gasOf(problem, i), 0)
      paths.push({ edges: path, net: next[sink]! - gasCost * gas })
    }
    held = next
  }
  return paths.sort((a, b) => b.net - a.net || a.edges.length - b.edges.length)
}

/** Whether the way that brought the most to a token so far passes another token. */
function passes(
  { from }: Problem,
  arrivedBy: readonly Int32Array[],
  token: number,
  other: number,
): boolean {
  let at = token
  for (let hop = arrivedBy.length - 1; hop >= 0; hop--) {
    at = from[arrivedBy[hop]![at]!]!
    if (at === other) return true
  }
  return false
}

/** The edges back from the sink. */
function trace({ from, sink }: Problem, arrivedBy: readonly Int32Array[]): Int32Array {
  const path = new Int32Array(arrivedBy.length)
  let token = sink
  for (let hop = arrivedBy.length - 1; hop >= 0; hop--) {
    path[hop] = arrivedBy[hop]![token]!
    token = from[path[hop]!]!
  }
  return path
}
