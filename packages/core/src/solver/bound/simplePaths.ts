/**
 * The bound over simple paths. Input: all that an order's routes can pass (the subgraph of the
 * search leaves edges out, which a bound may not), prices, and the edges in use. Output: a bound on every route
 * that does not count money earned around cycles.
 *
 * At prices ν an edge pays at most α + β·x for an input of x, where β is the smaller of ν_a/ν_b and
 * its first price. Pools that disagree form a cycle of edges with α > 0 at any prices, which no acyclic
 * route can use as a whole. Such an edge is left open: β is its first price and α = 0, so it earns by
 * its rate instead. An acyclic route splits into simple paths, so it is worth at most
 *
 *   max over simple paths P of (A·Π_P β − Σ_P w⁻) + Σ over the L best of w⁺,   w = α·V_b − λ·gas
 *
 * where V_b is the most that a simple path makes of one unit of b.
 */
import { type BestPath, simplePathSearch } from '../../math/bestSimplePath.js'
import { ROUTER_GAS } from '../../replay.js'
import { tradesAt } from '../dual/arbitrage.js'
import type { Relaxation } from '../network/subgraph.js'
import { MAX_CLOSED } from '../tuning.js'
import { type BoundAtPrices, roundBoundUp } from './upperBound.js'

/**
 * The lowest bound over simple paths at a point: while all edges are open that earn but are not used, and as long as
 * the best path takes open edges, without the one of them that earns least.
 */
export function boundWithOpen(
  relaxation: Relaxation,
  { u }: Pick<BoundAtPrices, 'u'>,
  used: ReadonlySet<number>,
): BoundAtPrices {
  const { edges } = relaxation
  const { worth } = tradesAt(relaxation, u)
  let isOpen = Uint8Array.from(worth, (net, i) => (net > 0 && !used.has(edges[i]!) ? 1 : 0))
  const rises = new Map<number, BestPath>()
  let { amount, path } = boundOverPaths(relaxation, u, isOpen, rises)
  let best = { amount, isOpen }
  for (let n = 1; n < MAX_CLOSED; n++) {
    const closable = path.filter((i) => isOpen[i])
    if (closable.length === 0) break
    const least = closable.reduce((a, b) => (worth[b]! < worth[a]! ? b : a))
    isOpen = isOpen.map((one, i) => (i === least ? 0 : one))
    // A path without the edge stays the best of its token when the edge is worth less.
    for (const [k, rise] of rises)
      if (rise.path.length === 0 || rise.path.includes(least)) rises.delete(k)
    ;({ amount, path } = boundOverPaths(relaxation, u, isOpen, rises))
    if (amount < best.amount) best = { amount, isOpen }
  }
  return { u, ...best, worth, legPrice: 0 }
}

/** The bound with the given open edges, and the best path; `rises` keeps what simple paths make of a unit of each token. */
export function boundOverPaths(
  relaxation: Relaxation,
  u: Float64Array,
  isOpen: Uint8Array,
  rises = new Map<number, BestPath>(),
): { readonly amount: bigint; readonly path: readonly number[] } {
  const { graph, edges, from, to, amount, source, legs, terms } = relaxation
  const ν = u.map(Math.exp)
  // An edge multiplies a value by at most its first price if it is open, and by at most 1 otherwise.
  const factor = Float64Array.from(edges, (e, i) => {
    const rate = (graph.spot[e]! * ν[to[i]!]!) / ν[from[i]!]!
    return isOpen[i] ? rate : Math.min(1, rate)
  })
  const pathsAt = simplePathSearch(relaxation, factor)
  const most = pathsAt(new Float64Array(edges.length))
  const riseOf = (token: number) => {
    const rise = rises.get(token) ?? most(token, 1)
    rises.set(token, rise)
    return Math.max(0, rise.worth)
  }
  const { worth, turnover } = tradesAt(relaxation, u, isOpen, riseOf)
  const cost = worth.map((net) => Math.max(0, -net))
  const carried = pathsAt(cost)(source, amount * ν[source]!)
  const nets = worth.filter((net) => net > 0).sort()
  const gross = nets.slice(-legs).reduce((a, b) => a + b, carried.worth)
  const fixed = terms.gasCost * ROUTER_GAS
  const bound = roundBoundUp(gross - fixed, Math.abs(gross) + fixed, turnover)
  return { amount: bound, path: carried.path }
}
