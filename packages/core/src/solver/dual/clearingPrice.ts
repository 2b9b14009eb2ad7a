/**
 * Clearing prices: the price of a token at which the edges at it earn least. Input: a network and the
 * prices of some of its tokens. Output: prices of others between bid and ask, or where flows clear. At such
 * prices the arbitrage of an unused edge predicts the gain from adding it, and the bound is tight; this is
 * the pricing step of column generation.
 */
import { piecesOf } from '../../graph.js'
import { inputAtOf, outputUntil } from '../../math/pieces.js'
import { rootBetween } from '../../math/rootBetween.js'
import type { Network, Problem } from '../network/problem.js'
import type { Relaxation } from '../network/subgraph.js'
import { CLEARED_IMBALANCE, CLEARING_STEPS, NEGLIGIBLE, NEIGHBOURS } from '../tuning.js'

/**
 * The log price at which the edges around token k earn least, at the log prices `u` of the others; NaN is no
 * price. Between bid and ask every price is equally good: the one nearest to `u` changes neighbours least. If
 * the bid is above the ask, inflow minus outflow over the edges that trade has its root between them.
 */
export function clearingPrice(network: Network, u: Float64Array, k: number): number {
  const { to, first, logSpot, entering } = network
  const { firstInto, fromOfInto, logSpotOfInto } = entering
  let [bid, ask] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let i = first[k]!; i < first[k + 1]!; i++) {
    const price = u[to[i]!]! + logSpot[i]!
    if (price > bid) bid = price
  }
  for (let n = firstInto[k]!; n < firstInto[k + 1]!; n++) {
    const price = u[fromOfInto[n]!]! - logSpotOfInto[n]!
    if (price < ask) ask = price
  }
  if (bid <= ask) return priceWithin(bid, ask, u[k]!)
  return rootBetween([ask, bid], CLEARING_STEPS, CLEARED_IMBALANCE, (price) =>
    netInflow(network, u, k, price),
  )
}

/** The flow into token k at a log price less the flow out, over the edges that trade. */
function netInflow(network: Network, u: Float64Array, k: number, price: number): number {
  const { graph, edges, to, first, logSpot, entering } = network
  const { firstInto, into, fromOfInto, logSpotOfInto } = entering
  let net = 0
  for (let n = firstInto[k]!; n < firstInto[k + 1]!; n++) {
    const ratio = u[fromOfInto[n]!]! - price
    if (logSpotOfInto[n]! > ratio)
      net += outputUntil(piecesOf(graph, edges[into[n]!]!), Math.exp(ratio))
  }
  for (let i = first[k]!; i < first[k + 1]!; i++) {
    const ratio = price - u[to[i]!]!
    if (logSpot[i]! > ratio) net -= inputAtOf(piecesOf(graph, edges[i]!), Math.exp(ratio))
  }
  return net
}

function priceWithin(bid: number, ask: number, now: number): number {
  if (!Number.isNaN(now)) return Math.min(Math.max(now, bid), ask)
  if (!Number.isFinite(bid)) return Number.isFinite(ask) ? ask : Number.NaN
  return Number.isFinite(ask) ? (bid + ask) / 2 : bid
}

/**
 * Moves the tokens that the used edges do not pass from `prices`, the optimum over all edges, to
 * their clearing prices. Returns whether each token is passed; the ends are.
 */
export function priceUnusedTokens(
  problem: Problem,
  used: Int32Array,
  prices: Float64Array,
): Uint8Array {
  const { u, from, to, source, sink } = problem
  const isPassed = new Uint8Array(u.length)
  isPassed[source] = isPassed[sink] = 1
  for (const i of used) isPassed[from[i]!] = isPassed[to[i]!] = 1
  for (let k = 0; k < u.length; k++) if (!isPassed[k]) u[k] = prices[k]!
  for (let k = 0; k < u.length; k++) {
    if (!isPassed[k]) u[k] = clearingPrice(problem, u, k)
  }
  return isPassed
}

/**
 * The log prices of all tokens of the relaxation: the problem's, and outside it clearing prices. Tokens next
 * to priced tokens come first.
 */
export function priceOutside(problem: Problem, relaxation: Relaxation): Float64Array {
  const { tokens, u, outside } = problem
  if (outside.length === 0) return u.slice()
  const count = relaxation.tokens.length
  const prices = new Float64Array(count).fill(Number.NaN)
  const isFree = new Uint8Array(count).fill(1)
  for (let k = 0, n = 0; n < tokens.length; k++) {
    if (relaxation.tokens[k] !== tokens[n]) continue
    prices[k] = u[n++]!
    isFree[k] = 0
  }
  const isStale = isFree.slice()
  const { to, first, entering } = relaxation
  const { firstInto, fromOfInto } = entering
  // Pass by pass outwards until no further token gets a price; the last pass knows all neighbours.
  for (let left = outside.length, before = left + 1; left < before; ) {
    before = left
    for (let k = 0; k < count; k++) {
      if (!isFree[k] || !isStale[k]) continue
      const price = clearingPrice(relaxation, prices, k)
      isStale[k] = 0
      if (price === prices[k] || Number.isNaN(price)) continue
      if (Number.isNaN(prices[k]!)) left--
      prices[k] = price
      for (let n = firstInto[k]!; n < firstInto[k + 1]!; n++) isStale[fromOfInto[n]!] = 1
      for (let i = first[k]!; i < first[k + 1]!; i++) isStale[to[i]!] = 1
    }
  }
  // No route passes a token that no edge connects, so that any price will do.
  for (let k = 0; k < count; k++) if (Number.isNaN(prices[k]!)) prices[k] = 0
  return prices
}

/** The tokens outside a problem, by graph number, whose edges earn most; `worth` is what each edge earns net of gas. */
export function promisingTokens(
  { outside, amount, u, source }: Problem,
  relaxation: Relaxation,
  worth: Float64Array,
): readonly number[] {
  const { graph, edges, from, to, tokens } = relaxation
  const earned = new Float64Array(graph.tokens.length)
  for (let i = 0; i < edges.length; i++) {
    if (!(worth[i]! > 0)) continue
    earned[tokens[from[i]!]!]! += worth[i]!
    earned[tokens[to[i]!]!]! += worth[i]!
  }
  const least = NEGLIGIBLE * amount * Math.exp(u[source]!)
  return outside
    .filter((k) => earned[k]! > least)
    .sort((a, b) => earned[b]! - earned[a]! || a - b)
    .slice(0, NEIGHBOURS)
}
