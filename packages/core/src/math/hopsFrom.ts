/**
 * Breadth-first search over rows of typed arrays. Input: a start, and where the hops from each token lead. Output: the
 * fewest hops to every token. What is further than a route may be long is left out before anything is solved.
 */

/**
 * By token, the fewest hops from a start; infinite if none lead there. The hops from token k lead to those of `next`
 * from `first[k]` up to `first[k + 1]`.
 */
export function hopsFrom(start: number, first: Int32Array, next: Int32Array): Float64Array {
  const hops = new Float64Array(first.length - 1).fill(Number.POSITIVE_INFINITY)
  hops[start] = 0
  const reached = [start]
  for (const k of reached) {
    for (let i = first[k]!; i < first[k + 1]!; i++) {
      if (hops[next[i]!]! < Number.POSITIVE_INFINITY) continue
      hops[next[i]!] = hops[k]! + 1
      reached.push(next[i]!)
    }
  }
  return hops
}
