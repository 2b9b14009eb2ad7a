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
import { bestWalks } from '../../math/bestWalks.js'
import { ROUTER_GAS } from '../../replay.js'
import { tradesAt } from '../dual/arbitrage.js'
import type { Relaxation } from '../network/subgraph.js'
import { MAX_CLOSED, MAX_HOPS_TRIED } from '../tuning.js'
import { type BoundAtPrices, roundBoundUp } from './upperBound.js'

/**
 * The lowest bound over simple paths at a point, and the best path while all edges are open that earn but are not
 * used, by graph number. As long as the best path takes open edges, the one of them that earns least is closed.
 * The path is that of all because an answer grows by it: it has no use for closed edges.
 */
export function boundWithOpen(
  relaxation: Relaxation,
  { u }: Pick<BoundAtPrices, 'u'>,
  used: ReadonlySet<number>,
): { readonly bound: BoundAtPrices; readonly path: Int32Array } {
  const { edges } = relaxation
  const { worth } = tradesAt(relaxation, u)
  let isOpen = Uint8Array.from(worth, (net, i) => (net > 0 && !used.has(edges[i]!) ? 1 : 0))
  const first = boundOverPaths(relaxation, u, isOpen)
  let best = { amount: first.amount, isOpen }
  let { path } = first
  for (let n = 1; n < MAX_CLOSED; n++) {
    const closable = path.filter((i) => isOpen[i])
    if (closable.length === 0) break
    const least = closable.reduce((a, b) => (worth[b]! < worth[a]! ? b : a))
    isOpen = isOpen.map((one, i) => (i === least ? 0 : one))
    const next = boundOverPaths(relaxation, u, isOpen)
    if (next.amount < best.amount) best = { amount: next.amount, isOpen }
    path = next.path
  }
  const bound = { u, ...best, worth, legPrice: 0 }
  return { bound, path: Int32Array.from(first.path, (i) => edges[i]!) }
}

/** The bound with the given open edges, and the best path. */
export function boundOverPaths(
  relaxation: Relaxation,
  u: Float64Array,
  isOpen: Uint8Array,
): { readonly amount: bigint; readonly path: readonly number[] } {
  const { graph, edges, from, to, amount, source, legs, terms } = relaxation
  const ν = u.map(Math.exp)
  // An edge multiplies a value by at most its first price if it is open, and by at most 1 otherwise.
  const factor = Float64Array.from(edges, (e, i) => {
    const rate = (graph.spot[e]! * ν[to[i]!]!) / ν[from[i]!]!
    return isOpen[i] ? rate : Math.min(1, rate)
  })
  const most = searchPaths(relaxation, factor, new Float64Array(edges.length))
  const rises: number[] = []
  const riseOf = (token: number) => (rises[token] ??= Math.max(0, most(token, 1).worth))
  const { worth, turnover } = tradesAt(relaxation, u, isOpen, riseOf)
  const cost = worth.map((net) => Math.max(0, -net))
  const carried = searchPaths(relaxation, factor, cost)(source, amount * ν[source]!)
  const nets = worth.filter((net) => net > 0).sort()
  const gross = nets.slice(-legs).reduce((a, b) => a + b, carried.worth)
  const fixed = terms.gasCost * ROUTER_GAS
  const bound = roundBoundUp(gross - fixed, Math.abs(gross) + fixed, turnover)
  return { amount: bound, path: carried.path }
}

/**
 * A search for the simple path to the sink that makes most of a value at a token, less its costs: depth-first,
 * pruned by the best walks, without edges that a parallel one beats in factor and cost. After
 * {@link MAX_HOPS_TRIED} it counts what walks could make, and has no path.
 */
function searchPaths(
  relaxation: Relaxation,
  factor: Float64Array,
  costs: Float64Array,
): (start: number, value: number) => { readonly worth: number; readonly path: readonly number[] } {
  const { from, to, tokens, sink, legs } = relaxation
  const hops = Math.min(legs, tokens.length - 1)
  const walks = bestWalks(relaxation, factor, hops)
  const walkFrom = (token: number, left: number) => walks[Math.min(left, walks.length - 1)]![token]!
  // Good edges first, because they prune the others.
  const promise = factor.map((one, i) => one * walkFrom(to[i]!, hops))
  const leaving = Array.from(tokens, (): number[] => [])
  for (const i of [...factor.keys()].sort((i, j) => promise[j]! - promise[i]! || i - j)) {
    const others = leaving[from[i]!]!
    if (!others.some((j) => to[j] === to[i] && costs[j]! <= costs[i]!)) others.push(i)
  }
  const isPassed = new Uint8Array(tokens.length)
  const passed: number[] = []
  let tried = 0
  let best: { worth: number; path: readonly number[] }
  const visit = (k: number, value: number, paid: number, left: number): void => {
    if (k === sink && value - paid > best.worth) best = { worth: value - paid, path: [...passed] }
    if (k === sink || left === 0) return
    isPassed[k] = 1
    for (const i of leaving[k]!) {
      const [next, reach, cost] = [to[i]!, value * factor[i]!, paid + costs[i]!]
      const worth = reach * walkFrom(next, left - 1) - cost
      if (isPassed[next] || !(worth > best.worth)) continue
      if (tried++ > MAX_HOPS_TRIED) {
        best = { worth, path: [] }
        continue
      }
      passed.push(i)
      visit(next, reach, cost, left - 1)
      passed.pop()
    }
    isPassed[k] = 0
  }
  return (start, value) => {
    best = { worth: Number.NEGATIVE_INFINITY, path: [] }
    visit(start, value, 0, hops)
    return best
  }
}
