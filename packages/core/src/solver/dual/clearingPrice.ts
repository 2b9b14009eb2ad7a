/**
 * Clearing prices for tokens that the current support does not pass; the pricing step of column
 * generation. Input: a problem and the passed tokens. Output: prices at which the arbitrage of an
 * unused edge predicts the gain from adding it.
 */
import type { Problem } from '../network/problem.js'
import { solveEdge } from './arbitrage.js'

// Bisection steps between ask and bid. The remaining arbitrage falls with the square of the gap.
const BISECTIONS = 8

/**
 * Prices the tokens that the used edges do not pass, starting from `prices`, the optimum over all
 * edges. A price moves between bid and ask if bid ≤ ask, otherwise to the point where inflow equals
 * outflow. This minimises the arbitrage, so the bound stays tight and the surplus of an edge
 * predicts the gain from adding it.
 */
export function priceUnusedTokens(
  problem: Problem,
  isUsed: Uint8Array,
  prices: Float64Array,
): void {
  const { u, ν, bundles } = problem
  const at = bundlesByToken(problem)
  for (let k = 0; k < u.length; k++) {
    if (!isUsed[k]) u[k] = prices[k]!
    ν[k] = Math.exp(u[k]!)
  }
  for (let k = 0; k < u.length; k++) {
    if (isUsed[k] || at.first[k] === at.first[k + 1]) continue
    let bid = Number.NEGATIVE_INFINITY
    let ask = Number.POSITIVE_INFINITY
    for (let s = at.first[k]!; s < at.first[k + 1]!; s++) {
      const b = at.bundles[s]!
      if (bundles.from[b] === k) bid = Math.max(bid, u[bundles.to[b]!]! + bundles.logSpot[b]!)
      else ask = Math.min(ask, u[bundles.from[b]!]! - bundles.logSpot[b]!)
    }
    u[k] =
      bid <= ask
        ? clamp(u[k]!, bid, ask)
        : clearFlowsBetween(problem, edgesTradingBetween(problem, k, ask, bid), k, ask, bid)
    ν[k] = Math.exp(u[k]!)
  }
}

/** The edges that trade at some price of token k between ask and bid. */
function edgesTradingBetween(
  problem: Problem,
  k: number,
  ask: number,
  bid: number,
): readonly number[] {
  const { u, bundles } = problem
  const at = bundlesByToken(problem)
  const isNear = (ends: Pick<Problem, 'from' | 'to' | 'logSpot'>, i: number) =>
    ends.from[i] === k
      ? u[ends.to[i]!]! + ends.logSpot[i]! > ask
      : u[ends.from[i]!]! - ends.logSpot[i]! < bid
  const near: number[] = []
  for (let s = at.first[k]!; s < at.first[k + 1]!; s++) {
    const b = at.bundles[s]!
    if (!isNear(bundles, b)) continue
    for (let i = bundles.first[b]!; i < bundles.first[b + 1]!; i++) {
      if (isNear(problem, i)) near.push(i)
    }
  }
  return near
}

/** Per token, the bundles that begin or end there: `first[k]` up to `first[k + 1]`. */
type BundlesByToken = { readonly first: Int32Array; readonly bundles: Int32Array }

// The same problem is priced in many rounds, so the index is cached.
const bundlesByTokenCache = new WeakMap<Int32Array, BundlesByToken>()

/** The bundles that begin or end at each token; cached per problem. */
export function bundlesByToken({ all, bundles, u }: Problem): BundlesByToken {
  const made = bundlesByTokenCache.get(all)
  if (made) return made
  const { from, to } = bundles
  const first = new Int32Array(u.length + 1)
  for (let b = 0; b < from.length; b++) {
    first[from[b]! + 1]!++
    first[to[b]! + 1]!++
  }
  for (let k = 0; k < u.length; k++) first[k + 1]! += first[k]!
  const next = first.slice()
  const touching = new Int32Array(2 * from.length)
  for (let b = 0; b < from.length; b++) {
    touching[next[from[b]!]!++] = b
    touching[next[to[b]!]!++] = b
  }
  const at = { first, bundles: touching }
  bundlesByTokenCache.set(all, at)
  return at
}

/** The log price of token k that balances one edge into it and one edge out of it. */
export function clearingPriceOf(problem: Problem, into: number, out: number, k: number): number {
  const { u, from, to, logSpot } = problem
  const ask = u[from[into]!]! - logSpot[into]!
  const bid = u[to[out]!]! + logSpot[out]!
  return bid <= ask ? clamp(u[k]!, bid, ask) : clearFlowsBetween(problem, [into, out], k, ask, bid)
}

/**
 * Every price between is equally good; the one nearest the current price changes neighbours least.
 */
function clamp(price: number, least: number, most: number): number {
  return Math.min(Math.max(price, least), most)
}

/** The log price between ask and bid at which the flows of token k balance; changes `ν[k]`. */
function clearFlowsBetween(
  problem: Problem,
  edges: readonly number[],
  k: number,
  ask: number,
  bid: number,
): number {
  let [low, high] = [ask, bid]
  for (let n = 0; n < BISECTIONS; n++) {
    const middle = (low + high) / 2
    problem.ν[k] = Math.exp(middle)
    if (netFlow(problem, edges, k) > 0) high = middle
    else low = middle
  }
  return (low + high) / 2
}

/** Inflow minus outflow of token k at the prices ν; increases with its price. */
function netFlow(problem: Problem, edges: readonly number[], k: number): number {
  const { from, x, y } = problem
  let net = 0
  for (let s = 0; s < edges.length; s++) {
    const i = edges[s]!
    solveEdge(problem, i)
    net += from[i] === k ? -x[i]! : y[i]!
  }
  return net
}
