/**
 * Clearing prices: the price of a token at which the edges at it earn least. Input: the edges around
 * a token and the prices of its neighbours. Output: a price between bid and ask, or where flows
 * clear. At such prices the arbitrage of an unused edge predicts the gain from adding it, and the
 * bound is tight; this is the pricing step of column generation.
 */
import { type Incidence, incidenceOf } from '../network/incidence.js'
import type { Problem } from '../network/problem.js'
import { solveEdge } from './arbitrage.js'
import { rootBetween } from './regulaFalsi.js'

/** The edges around some tokens, and ln of the spot price of each edge after its fee. */
export type Market = Incidence & { readonly logSpot: Float64Array }

/** The best log prices at which neighbours buy and sell a token. */
export type Spread = { readonly bid: number; readonly ask: number }

/** The spread of the n-th token at log prices of the others; NaN is no price. */
export function spreadOf(
  { first, edges, others, leadsOut, logSpot }: Market,
  n: number,
  prices: Float64Array,
): Spread {
  let bid = Number.NEGATIVE_INFINITY
  let ask = Number.POSITIVE_INFINITY
  for (let s = first[n]!; s < first[n + 1]!; s++) {
    const other = prices[others[s]!]!
    if (Number.isNaN(other)) continue
    if (leadsOut[s]) bid = Math.max(bid, other + logSpot[edges[s]!]!)
    else ask = Math.min(ask, other - logSpot[edges[s]!]!)
  }
  return { bid, ask }
}

/** The edges of the n-th token that trade at some price between ask and bid. */
export function edgesWithin(
  { first, edges, others, leadsOut, logSpot }: Market,
  n: number,
  prices: Float64Array,
  { bid, ask }: Spread,
): readonly number[] {
  const near: number[] = []
  for (let s = first[n]!; s < first[n + 1]!; s++) {
    const other = prices[others[s]!]!
    const spot = logSpot[edges[s]!]!
    if (leadsOut[s] ? other + spot > ask : other - spot < bid) near.push(edges[s]!)
  }
  return near
}

/**
 * The log price at which the edges of a token earn least. Between bid and ask every price is equally
 * good: the one nearest to `now` changes neighbours least; NaN is no price now. Above the ask,
 * `netFlowAt`, inflow minus outflow, has its root.
 */
export function clearingPrice(
  { bid, ask }: Spread,
  now: number,
  netFlowAt: (price: number) => number,
): number {
  if (bid > ask) return rootBetween(ask, bid, netFlowAt)
  if (!Number.isNaN(now)) return Math.min(Math.max(now, bid), ask)
  if (!Number.isFinite(bid)) return Number.isFinite(ask) ? ask : Number.NaN
  return Number.isFinite(ask) ? (bid + ask) / 2 : bid
}

/**
 * Moves the tokens that the used edges do not pass from `prices`, the optimum over all edges, to
 * their clearing prices.
 */
export function priceUnusedTokens(
  problem: Problem,
  isUsed: Uint8Array,
  prices: Float64Array,
): void {
  const { u, ν, bundles } = problem
  const market = { logSpot: bundles.logSpot, ...incidenceOf(bundles, u.length) }
  for (let k = 0; k < u.length; k++) {
    if (!isUsed[k]) u[k] = prices[k]!
    ν[k] = Math.exp(u[k]!)
  }
  for (let k = 0; k < u.length; k++) {
    if (isUsed[k] || market.first[k] === market.first[k + 1]) continue
    const spread = spreadOf(market, k, u)
    const edges: number[] = []
    for (const b of spread.bid > spread.ask ? edgesWithin(market, k, u, spread) : []) {
      for (let i = bundles.first[b]!; i < bundles.first[b + 1]!; i++) edges.push(i)
    }
    u[k] = clearingPrice(spread, u[k]!, (price) => netFlowAt(problem, edges, k, price))
    ν[k] = Math.exp(u[k]!)
  }
}

/** Inflow minus outflow of token k at a log price of it; increases with the price. Changes `ν[k]`. */
function netFlowAt(problem: Problem, edges: readonly number[], k: number, price: number): number {
  const { ν, from, x, y } = problem
  ν[k] = Math.exp(price)
  let net = 0
  for (let s = 0; s < edges.length; s++) {
    const i = edges[s]!
    solveEdge(problem, i)
    net += from[i] === k ? -x[i]! : y[i]!
  }
  return net
}
