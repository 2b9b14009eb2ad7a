/**
 * The cap on legs in the bound. Input: what each edge is worth at some prices. Output: what the legs
 * of a route with several hops are worth together at most. A route has at most L of the best edges,
 * and it contains a path, whose edges count even if they are worth nothing.
 */
import type { Relaxation } from '../network/relaxation.js'
import { LEG_PRICES_TRIED } from '../tuning.js'

/** What the edges of a route with several hops are worth at most, and the price of a leg. */
export type Legs = {
  /** Σ (w − μ)⁺ + μ·L. */
  readonly sum: number
  /** At most the least Σ (w − μ)⁻ of such a route; infinite if there is none. */
  readonly unpaid: number
  /** μ, in units of the token out. */
  readonly legPrice: number
}

type Walks = Pick<Relaxation, 'first' | 'from' | 'to' | 'source' | 'sink' | 'legs' | 'isWithin'>

/**
 * The lowest bound on the worth of several hops over prices μ ≥ 0 of a leg. For any μ, the edges of a
 * route S with at most L of them are worth at most
 *
 *   Σ over S of (w − μ) + μ·L ≤ Σ over all edges of (w − μ)⁺ + μ·L − least Σ over S of (w − μ)⁻
 *
 * Several hops contain a path of two hops or more, or two hops between the ends. Apart from its cost the bound
 * is lowest at the L-th best w. The path uses up legs too, so that a slightly larger w is often better.
 */
export function boundLegs(walks: Walks, worth: Float64Array): Legs {
  const { legs, isWithin } = walks
  const earning: number[] = []
  for (let i = 0; i < worth.length; i++) if (worth[i]! > 0 && isWithin[i]) earning.push(worth[i]!)
  earning.sort((a, b) => b - a)
  const direct = directEdges(walks).map((i) => worth[i]!)
  direct.sort((a, b) => b - a)
  const at = (legPrice: number): Legs => {
    const costs = direct.map((net) => Math.max(0, legPrice - net))
    const pair = costs.length > 1 ? costs[0]! + costs[1]! : Number.POSITIVE_INFINITY
    const unpaid = leastCost(walks, worth, legPrice, pair)
    let sum = legPrice * (legPrice > 0 ? legs : 0)
    for (const one of earning) sum += Math.max(0, one - legPrice)
    return { sum, unpaid, legPrice }
  }
  const prices = [0, ...earning.slice(Math.max(0, legs - LEG_PRICES_TRIED), legs)]
  return prices.map(at).reduce((a, b) => (b.sum - b.unpaid < a.sum - a.unpaid ? b : a))
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
      if (!(through < cost[next]! && through < cost[sink]! && isWithin[i])) continue
      if (k === source && next === sink) continue
      cost[next] = through
      changed.push(next)
    }
  }
  return cost[sink]!
}

/** The edges from source to sink. */
export function directEdges({ first, to, source, sink }: Walks): readonly number[] {
  const edges: number[] = []
  for (let i = first[source]!; i < first[source + 1]!; i++) if (to[i] === sink) edges.push(i)
  return edges
}
