/**
 * Best walks by rounds of hops (Bellman and Ford): how much a unit at each token can become at the sink. Input: edges
 * and the factor of each. Output: the largest product of factors. A bound over simple paths is pruned by it.
 */

/** The ends of each edge, the number of `tokens`, and the token at which walks end. */
type Ends = {
  readonly from: Int32Array
  readonly to: Int32Array
  readonly tokens: ArrayLike<number>
  readonly sink: number
}

/** By number of hops and token: the largest factor of a walk of at most so many hops to the sink. */
export function bestWalks(
  { from, to, tokens, sink }: Ends,
  factor: Float64Array,
  hops: number,
): readonly Float64Array[] {
  const walks = [new Float64Array(tokens.length)]
  walks[0]![sink] = 1
  for (let n = 0; n < hops; n++) {
    const last = walks[n]!
    const next = last.slice()
    for (let i = 0; i < factor.length; i++)
      next[from[i]!] = Math.max(next[from[i]!]!, factor[i]! * last[to[i]!]!)
    if (next.every((value, k) => value === last[k])) break
    walks.push(next)
  }
  return walks
}
