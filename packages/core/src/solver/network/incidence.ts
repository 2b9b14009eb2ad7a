/**
 * Which edges begin or end at each token. Input: edges by their ends, those of a graph or the bundles
 * of a problem. Output: their {@link Incidence}, which pricing walks token by token.
 */

/** By token, the edges there: each with the token at its other end, and whether it leads to that. */
export type Incidence = readonly (readonly {
  readonly edge: number
  readonly other: number
  readonly leadsOut: boolean
}[])[]

// A new block changes pool states but not adjacency, so the array of ends stays and with it the entry.
const incidences = new WeakMap<Int32Array, Incidence>()

/** Per token, the edges from and to it; cached. */
export function incidenceOf(
  { from, to }: { readonly from: Int32Array; readonly to: Int32Array },
  tokens: number,
): Incidence {
  const before = incidences.get(from)
  if (before) return before
  const made: Incidence[number][number][][] = Array.from({ length: tokens }, () => [])
  for (const [edge, a] of from.entries()) {
    const b = to[edge]!
    made[a]!.push({ edge, other: b, leadsOut: true })
    made[b]!.push({ edge, other: a, leadsOut: false })
  }
  incidences.set(from, made)
  return made
}
