/**
 * Which edges of the graph begin or end at each token. Input: a graph. Output: its
 * {@link Incidence}, which pricing walks token by token.
 */
import type { Graph } from '../../graph.js'

/** The edges at every token: those of token k are numbered from `first[k]` up to `first[k + 1]`. */
export type Incidence = {
  readonly first: Int32Array
  readonly edges: Int32Array
  /** The token at the other end of each, and whether the edge leads to it. */
  readonly others: Int32Array
  readonly leadsOut: Uint8Array
}

// A new block changes pool states but not adjacency, so the cache holds while the pools are the same.
const incidences = new WeakMap<Graph['edgesOfPool'], Incidence>()

/** Per token, the edges from and to it. */
export function incidenceOf({ edgesOfPool, tokens, from, to }: Graph): Incidence {
  const before = incidences.get(edgesOfPool)
  if (before) return before
  const first = new Int32Array(tokens.length + 1)
  for (let e = 0; e < from.length; e++) {
    first[from[e]! + 1]!++
    first[to[e]! + 1]!++
  }
  for (let k = 0; k < tokens.length; k++) first[k + 1]! += first[k]!
  const next = first.slice()
  const edges = new Int32Array(2 * from.length)
  const others = new Int32Array(2 * from.length)
  const leadsOut = new Uint8Array(2 * from.length)
  for (let e = 0; e < from.length; e++) {
    const out = next[from[e]!]!++
    edges[out] = e
    others[out] = to[e]!
    leadsOut[out] = 1
    const into = next[to[e]!]!++
    edges[into] = e
    others[into] = from[e]!
  }
  const made = { first, edges, others, leadsOut }
  incidences.set(edgesOfPool, made)
  return made
}
