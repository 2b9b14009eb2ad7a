/**
 * Clearing prices: the price of a token at which the edges at it earn least. Input: the edges around
 * a token and the prices of its neighbours. Output: a price between bid and ask, or where flows
 * clear. At such prices the arbitrage of an unused edge predicts the gain from adding it, and the
 * bound is tight; this is the pricing step of column generation.
 */
import type { Problem } from '../network/problem.js'
import { CLEARING_STEPS } from '../tuning.js'
import { solveEdge } from './arbitrage.js'

/**
 * The log price at which the edges around a token earn least, at log prices of the others; NaN is no
 * price. Between bid and ask every price is equally good: the one nearest to `now` changes neighbours least.
 * If the bid is above the ask, `netFlowAt`, inflow minus outflow over the edges that trade there, has its root.
 */
export function clearingPrice(
  around: Incidence[number],
  logSpot: Float64Array,
  prices: Float64Array,
  now: number,
  netFlowAt: (price: number, edges: readonly number[]) => number,
): number {
  let [bid, ask] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (const { edge, other, leadsOut } of around) {
    if (Number.isNaN(prices[other]!)) continue
    if (leadsOut) bid = Math.max(bid, prices[other]! + logSpot[edge]!)
    else ask = Math.min(ask, prices[other]! - logSpot[edge]!)
  }
  if (bid <= ask) return priceWithin(bid, ask, now)
  const near: number[] = []
  for (const { edge, other, leadsOut } of around) {
    const spot = logSpot[edge]!
    if (leadsOut ? prices[other]! + spot > ask : prices[other]! - spot < bid) near.push(edge)
  }
  return rootBetween(ask, bid, (price) => netFlowAt(price, near))
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
  const { u, ν, x, y, from, to, bundles, source, sink } = problem
  const isPassed = new Uint8Array(u.length)
  isPassed[source] = isPassed[sink] = 1
  for (const i of used) isPassed[from[i]!] = isPassed[to[i]!] = 1
  const incidence = incidenceOf(bundles, u.length)
  for (let k = 0; k < u.length; k++) {
    if (!isPassed[k]) u[k] = prices[k]!
    ν[k] = Math.exp(u[k]!)
  }
  for (let k = 0; k < u.length; k++) {
    if (isPassed[k] || incidence[k]!.length === 0) continue
    u[k] = clearingPrice(incidence[k]!, bundles.logSpot, u, u[k]!, (price, near) => {
      ν[k] = Math.exp(price)
      let net = 0
      for (const b of near) {
        for (let i = bundles.first[b]!; i < bundles.first[b + 1]!; i++) {
          solveEdge(problem, i)
          net += from[i] === k ? -x[i]! : y[i]!
        }
      }
      return net
    })
    ν[k] = Math.exp(u[k]!)
  }
  return isPassed
}

/** By token, the edges there: each with the token at its other end, and whether it leads to that. */
export type Incidence = readonly (readonly {
  readonly edge: number
  readonly other: number
  readonly leadsOut: boolean
}[])[]

// A new block changes pool states but not adjacency, so the array of ends stays and with it the entry.
const incidences = new WeakMap<Int32Array, Incidence>()

/** Per token, the edges from and to it; cached. */
export function incidenceOf(
  { from, to }: { readonly from: Int32Array; readonly to: Int32Array },
  tokens: number,
): Incidence {
  const before = incidences.get(from)
  if (before) return before
  const made: Incidence[number][number][][] = Array.from({ length: tokens }, () => [])
  for (const [edge, a] of from.entries()) {
    const b = to[edge]!
    made[a]!.push({ edge, other: b, leadsOut: true })
    made[b]!.push({ edge, other: a, leadsOut: false })
  }
  incidences.set(from, made)
  return made
}
