/**
 * Upper bound by Lagrangian duality, tightened by fixed charges (gas) and the cap on legs. Input: a
 * relaxation and any prices. Output: a value that no acyclic route within the terms exceeds, and the
 * {@link Bound} with its prices by address, so that anyone can check it. A search on a line lowers it.
 */
import type { Bound } from '../../certificate/bound.js'
import { edgeAt, piecesOf } from '../../graph.js'
import type { Address } from '../../hex.js'
import { outOf } from '../../math/pieces.js'
import { ROUTER_GAS } from '../../replay.js'
import { tradesAt } from '../dual/arbitrage.js'
import type { Network } from '../network/problem.js'
import type { Relaxation } from '../network/subgraph.js'
import type { SolveInput } from '../terms.js'
import { BOUND_MARGIN, LEG_PRICES_TRIED, LINE_STEPS, TURNOVER_MARGIN } from '../tuning.js'

/** A bound at log prices `u`, by local token. */
export type BoundAtPrices = {
  readonly u: Float64Array
  /** Wei of the token out, rounded up. */
  readonly amount: bigint
  /** The worth of each local edge's best trade there, net of gas. */
  readonly worth: Float64Array
  /** Units of the token out that a leg costs. */
  readonly legPrice: number
  /** By local edge, whether it is open, if the bound is that over simple paths. */
  readonly isOpen?: Uint8Array
}

/**
 * The bound at log prices. A route is either one hop between the two tokens, whose output is known, or
 * takes at least two hops, and then
 *
 *   UB(ν) = A·ν_in − p·router + Σ over the L best of max(0, surplus_i − p·gas_i) − D
 *
 * D is a lower bound on Σ max(0, p·gas_i − surplus_i) over the hops of a route: the larger of its
 * least value on a path from source to sink and on two hops. A larger sum has a margin for its own terms only.
 */
export function boundAt(relaxation: Relaxation, u: Float64Array): BoundAtPrices {
  const { graph, edges, amount, source, terms } = relaxation
  const { worth, turnover } = tradesAt(relaxation, u)
  const { sum, unpaid, legPrice } = boundLegs(relaxation, worth)
  const fixed = terms.gasCost * ROUTER_GAS
  const amounts = relaxation.direct.map((i) => {
    const e = edges[i]!
    const out = outOf(piecesOf(graph, e), amount + graph.extraIn[e]!)
    const paid = terms.gasCost * graph.gas[e]! + fixed
    return roundBoundUp(out - paid, out + paid, 0)
  })
  const gross = amount * Math.exp(u[source]!) + sum
  if (Number.isFinite(unpaid))
    amounts.push(roundBoundUp(gross - unpaid - fixed, gross + unpaid + fixed, turnover))
  const most = amounts.reduce((a, b) => (b > a ? b : a), amounts[0] ?? 0n)
  return { u, amount: most, worth, legPrice }
}

type Walks = Pick<Relaxation, 'first' | 'to' | 'source' | 'sink' | 'legs' | 'direct' | 'isWithin'>

/**
 * The lowest bound on the worth of several hops, `sum` less `unpaid`, over prices μ ≥ 0 of a leg. For any μ, the
 * edges of a route S with at most L of them are worth at most
 *
 *   Σ over S of (w − μ) + μ·L ≤ Σ over all edges of (w − μ)⁺ + μ·L − least Σ over S of (w − μ)⁻
 *
 * `sum` is lowest at the L-th best w. The path uses up legs too, so that a slightly larger w is often better. Several
 * hops contain a path of two hops or more, or two hops between the ends; `unpaid` is infinite if there is neither.
 */
export function boundLegs(walks: Walks, worth: Float64Array) {
  const { legs, direct, isWithin } = walks
  const nets: number[] = []
  for (let i = 0; i < worth.length; i++) if (worth[i]! > 0 && isWithin[i]) nets.push(worth[i]!)
  nets.sort((a, b) => b - a)
  const at = (legPrice: number) => {
    const pair = direct.map((i) => Math.max(0, legPrice - worth[i]!)).sort((a, b) => a - b)
    const most = pair.length > 1 ? pair[0]! + pair[1]! : Number.POSITIVE_INFINITY
    const spent = legPrice > 0 ? legPrice * legs : 0
    const sum = nets.reduce((a, net) => a + Math.max(0, net - legPrice), spent)
    return { sum, unpaid: leastCost(walks, worth, legPrice, most), legPrice }
  }
  const prices = [0, ...nets.slice(Math.max(0, legs - LEG_PRICES_TRIED), legs)]
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
      const isLess = through < cost[next]! && through < cost[sink]!
      if (!isLess || !isWithin[i] || (k === source && next === sink)) continue
      cost[next] = through
      changed.push(next)
    }
  }
  return cost[sink]!
}

/**
 * A bound as an integer, rounded up after adding {@link BOUND_MARGIN} of the sizes of its terms,
 * {@link TURNOVER_MARGIN} of the value traded, and one wei.
 */
export function roundBoundUp(amount: number, size: number, turnover: number): bigint {
  return BigInt(Math.ceil(amount + BOUND_MARGIN * size + TURNOVER_MARGIN * turnover + 1))
}

/**
 * The lowest bound found on the line between two vectors of log prices. Gas moves the best prices from the
 * minimum of the dual towards the prices of the answer, seldom all the way. Apart from the cost of the
 * cheapest path, the bound is convex in ν, so a search that halves its steps finds how far.
 */
export function boundBetween(
  relaxation: Relaxation,
  some: Pick<BoundAtPrices, 'u'>,
  others: Pick<BoundAtPrices, 'u'>,
): BoundAtPrices {
  const [from, to] = [some.u.map(Math.exp), others.u.map(Math.exp)]
  const boundPart = (t: number) => {
    const u = from.map((ν, k) => Math.log((1 - t) * ν + t * to[k]!))
    return { t, bound: boundAt(relaxation, u) }
  }
  let best = boundPart(1 / 2)
  for (let n = 2; n <= LINE_STEPS; n++) {
    for (const next of [boundPart(best.t - 2 ** -n), boundPart(best.t + 2 ** -n)]) {
      if (next.bound.amount < best.bound.amount) best = next
    }
  }
  return best.bound
}

/** The certificate of a bound, which lists prices and open edges by address. */
export function certificateOf(
  relaxation: Relaxation,
  { u, isOpen, amount, legPrice }: BoundAtPrices,
  { terms, scope }: SolveInput,
): Bound {
  const { objective, gasCost, maxLegs, maxGas } = terms
  const openEdges = isOpen ? relaxation.edges.filter((_, i) => isOpen[i]) : []
  const open = Array.from(openEdges, (e) => {
    const { pool, tokenIn, tokenOut } = edgeAt(relaxation.graph, e)
    return { pool: pool.id, tokenIn, tokenOut }
  })
  return {
    ...{ amount, prices: pricesOf(relaxation, u), legPrice },
    ...{ objective, gasCost, maxLegs, maxGas },
    ...scope,
    ...(isOpen && { open }),
  }
}

/** Log prices of a network's tokens by address. */
export function pricesOf(
  { graph, tokens }: Pick<Network, 'graph' | 'tokens'>,
  u: Float64Array,
): Record<Address, number> {
  const prices: Record<Address, number> = {}
  for (const [i, k] of tokens.entries()) prices[graph.tokens[k]!] = u[i]!
  return prices
}
