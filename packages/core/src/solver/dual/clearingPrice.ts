/**
 * Clearing prices: the price of a token at which the edges at it earn least. Input: a network and the
 * prices of some of its tokens. Output: prices of others between bid and ask, or where flows clear. At such
 * prices the arbitrage of an unused edge predicts the gain from adding it, and the bound is tight; this is
 * the pricing step of column generation.
 */
import { piecesOf } from '../../graph.js'
import { inputAtOf, outputUntil } from '../../math/pieces.js'
import type { Network, Problem } from '../network/problem.js'
import type { Relaxation } from '../network/subgraph.js'
import { CLEARING_STEPS, MOST_PROMISING, PROMISING } from '../tuning.js'

/** A network by token: the edges at token k are those of `at` from `first[k]` up to `first[k + 1]`. */
type Incidence = { readonly first: Int32Array; readonly at: Int32Array }

/**
 * The log price at which the edges around token k earn least, at the log prices `u` of the others; NaN is no
 * price. Between bid and ask every price is equally good: the one nearest to `u` changes neighbours least. If
 * the bid is above the ask, inflow minus outflow over the edges that trade has its root between them.
 */
export function clearingPrice(
  { graph, edges, from, to }: Network,
  { first, at }: Incidence,
  u: Float64Array,
  k: number,
): number {
  const { logSpot } = graph
  const around = at.subarray(first[k]!, first[k + 1]!)
  let [bid, ask] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const i of around) {
    const spot = logSpot[edges[i]!]!
    if (from[i] !== k) {
      if (u[from[i]!]! - spot < ask) ask = u[from[i]!]! - spot
    } else if (u[to[i]!]! + spot > bid) bid = u[to[i]!]! + spot
  }
  if (bid <= ask) return priceWithin(bid, ask, u[k]!)
  return rootBetween(ask, bid, (price) => {
    let net = 0
    for (const i of around) {
      const e = edges[i]!
      const isOut = from[i] === k
      const ratio = isOut ? price - u[to[i]!]! : u[from[i]!]! - price
      if (!(logSpot[e]! > ratio)) continue
      const pieces = piecesOf(graph, e)
      if (isOut) net -= inputAtOf(pieces, Math.exp(ratio))
      else net += outputUntil(pieces, Math.exp(ratio))
    }
    return net
  })
}

const incidences = new WeakMap<Int32Array, Incidence>()

/** The incidence of a network; cached. */
export function incidenceOf({ from, to, tokens }: Network): Incidence {
  const known = incidences.get(from)
  if (known) return known
  const first = new Int32Array(tokens.length + 1)
  for (let i = 0; i < from.length; i++) {
    first[from[i]! + 1]!++
    first[to[i]! + 1]!++
  }
  for (let k = 0; k < tokens.length; k++) first[k + 1]! += first[k]!
  const next = first.slice()
  const at = new Int32Array(2 * from.length)
  for (let i = 0; i < from.length; i++) {
    at[next[from[i]!]!++] = i
    at[next[to[i]!]!++] = i
  }
  const made = { first, at }
  incidences.set(from, made)
  return made
}

/**
 * Approximate root of an increasing function on [low, high]: a few steps of regula falsi, Illinois variant,
 * which halves the value at an end that stays twice.
 */
export function rootBetween(low: number, high: number, netAt: (u: number) => number): number {
  let [atLow, atHigh] = [netAt(low), netAt(high)]
  const meet = () => low - (atLow * (high - low)) / (atHigh - atLow || 1)
  for (let n = 0, side = 0; n < CLEARING_STEPS && atLow < 0 && atHigh > 0; n++) {
    const middle = meet()
    const net = netAt(middle)
    if (net > 0) {
      high = middle
      atHigh = net
      if (side > 0) atLow /= 2
      side = 1
    } else {
      low = middle
      atLow = net
      if (side < 0) atHigh /= 2
      side = -1
    }
  }
  return meet()
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
  const incidence = incidenceOf(problem)
  for (let k = 0; k < u.length; k++) {
    if (!isPassed[k]) u[k] = clearingPrice(problem, incidence, u, k)
  }
  return isPassed
}

/**
 * The log prices of all tokens of the relaxation: the problem's, and outside it clearing prices. Tokens next
 * to priced tokens come first.
 */
export function priceOutside(problem: Problem, relaxation: Relaxation): Float64Array {
  const { graph, tokens, u, outside } = problem
  if (outside.length === 0) return u.slice()
  const known = new Float64Array(graph.tokens.length).fill(Number.NaN)
  for (const [n, k] of tokens.entries()) known[k] = u[n]!
  const prices = Float64Array.from(relaxation.tokens, (k) => known[k]!)
  const isUnpriced = (k: number) => Number.isNaN(prices[k]!)
  const free = [...prices.keys()].filter(isUnpriced)
  const incidence = incidenceOf(relaxation)
  // Pass by pass outwards until no further token gets a price; the last pass knows all neighbours.
  for (let left = free.length, before = left + 1; left < before; ) {
    before = left
    for (const k of free) prices[k] = clearingPrice(relaxation, incidence, prices, k)
    left = free.filter(isUnpriced).length
  }
  // No route passes a token that no edge connects, so that any price will do.
  return prices.map((price) => (Number.isNaN(price) ? 0 : price))
}

/** The tokens outside a problem, by graph number, whose edges earn most: `worth` is what each is worth net of gas. */
export function promisingTokens(
  { outside, amount, u, source }: Problem,
  relaxation: Relaxation,
  worth: Float64Array,
): readonly number[] {
  if (outside.length === 0) return []
  const { graph, edges, from, to, tokens, terms } = relaxation
  const earned = new Float64Array(graph.tokens.length)
  for (let i = 0; i < edges.length; i++) {
    const gross = worth[i]! + terms.gasCost * graph.gas[edges[i]!]!
    if (!(gross > 0)) continue
    earned[tokens[from[i]!]!]! += gross
    earned[tokens[to[i]!]!]! += gross
  }
  const least = PROMISING * amount * Math.exp(u[source]!)
  return outside
    .filter((k) => earned[k]! > least)
    .sort((a, b) => earned[b]! - earned[a]! || a - b)
    .slice(0, MOST_PROMISING)
}
