/**
 * Which edges begin or end at each token. Input: edges by their ends, those of a graph or the bundles
 * of a problem. Output: their {@link Incidence}, which pricing walks token by token.
 */

/** The edges at every token: those of token k are numbered from `first[k]` up to `first[k + 1]`. */
export type Incidence = {
  readonly first: Int32Array
  readonly edges: Int32Array
  /** The token at the other end of each, and whether the edge leads to it. */
  readonly others: Int32Array
  readonly leadsOut: Uint8Array
}

type Ends = { readonly from: Int32Array; readonly to: Int32Array }

// A new block changes pool states but not adjacency, so the array of ends stays and with it the entry.
const incidences = new WeakMap<Int32Array, Incidence>()

/** Per token, the edges from and to it; cached. */
export function incidenceOf({ from, to }: Ends, tokens: number): Incidence {
  const before = incidences.get(from)
  if (before) return before
  const first = new Int32Array(tokens + 1)
  for (let e = 0; e < from.length; e++) {
    first[from[e]! + 1]!++
    first[to[e]! + 1]!++
  }
  for (let k = 0; k < tokens; k++) first[k + 1]! += first[k]!
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
  incidences.set(from, made)
  return made
}
