/**
 * The cap on legs in the bound. Input: what each edge is worth at some prices. Output: what the legs
 * of a route with several hops are worth together at most. A route has at most L of the best edges,
 * and it contains a path, whose edges count even if they are worth nothing.
 */
import type { Relaxation } from '../network/relaxation.js'

type Walks = Pick<Relaxation, 'first' | 'to' | 'source' | 'sink' | 'legs' | 'direct' | 'isWithin'>

/**
 * A bound on the worth of several hops, `sum` less `unpaid`, by a price μ ≥ 0 of a leg. For any μ, the edges
 * of a route S with at most L of them are worth at most
 *
 *   Σ over S of (w − μ) + μ·L ≤ Σ over all edges of (w − μ)⁺ + μ·L − least Σ over S of (w − μ)⁻
 *
 * At the L-th best w, which is μ, the sums are those of the L best. Several hops contain a path of two hops or
 * more, or two hops between the ends; `unpaid` is infinite if there is neither.
 */
export function boundLegs(walks: Walks, worth: Float64Array) {
  const { legs, direct, isWithin } = walks
  const nets = worth.filter((net, i) => net > 0 && isWithin[i])
  const best = nets.sort().slice(-legs)
  const legPrice = best.length < legs ? 0 : best[0]!
  const pair = direct.map((i) => Math.max(0, legPrice - worth[i]!)).sort((a, b) => a - b)
  const most = pair.length > 1 ? pair[0]! + pair[1]! : Number.POSITIVE_INFINITY
  const unpaid = leastCost(walks, worth, legPrice, most)
  return { sum: best.reduce((a, b) => a + b, 0), unpaid, legPrice }
}

/** The least Σ (w − μ)⁻ of a walk of several hops to the sink, of any length, but not more than `most`. */
function leastCost(
  { first, to, source, sink, isWithin }: Walks,
  worth: Float64Array,
  legPrice: number,
  most: number,
): number {
  const cost = new Float64Array(first.length - 1).fill(Number.POSITIVE_INFINITY)
  cost[source] = 0
  cost[sink] = most
  const changed = [source]
  for (const k of changed) {
    for (let i = first[k]!; i < first[k + 1]! && cost[k]! < cost[sink]!; i++) {
      const next = to[i]!
      const through = cost[k]! + Math.max(0, legPrice - worth[i]!)
      const isLess = through < cost[next]! && through < cost[sink]!
      if (!isLess || !isWithin[i] || (k === source && next === sink)) continue
      cost[next] = through
      changed.push(next)
    }
  }
  return cost[sink]!
}
