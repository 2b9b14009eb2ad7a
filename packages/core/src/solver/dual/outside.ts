/**
 * Clearing prices for the tokens outside the subgraph. Input: a problem with prices. Output:
 * {@link Outside}, the arbitrage of every outside edge, which completes the bound, and the tokens
 * worth adding to the subgraph: column generation.
 */
import { piecesOf } from '../../graph.js'
import { inputAtOf, outputUntil } from '../../math/pieces.js'
import type { Problem } from '../network/problem.js'
import type { Request } from '../terms.js'
import { LOG_PRICE_MARGIN, MOST_PROMISING, PROMISING } from '../tuning.js'
import { bestTrade } from './arbitrage.js'
import { clearingPrice, incidenceOf } from './clearingPrice.js'

/** The outside of a problem: prices of the tokens it leaves out, and the arbitrage of their edges. */
export type Outside = {
  /** The best trade of each edge that may earn at the prices, net of its gas. */
  readonly nets: readonly number[]
  /** Value that these edges trade, in sink units. */
  readonly turnover: number
  /** Least gas of an outside edge; infinite if there is none. */
  readonly leastGas: number
  /** ln ν by graph number of the token; NaN if the token has no price. */
  readonly prices: Float64Array
  /** The tokens whose edges earn most, to be added to the problem. */
  readonly promising: readonly number[]
}

const NOTHING: Outside = {
  ...{ nets: [], turnover: 0, leastGas: Number.POSITIVE_INFINITY },
  ...{ prices: new Float64Array(0), promising: [] },
}

/**
 * Prices the outside tokens so that their edges earn least: between bid and ask if bid ≤ ask,
 * otherwise where inflow equals outflow. Tokens next to priced tokens come first. At these prices
 * the bound covers every edge that an acyclic route could use.
 */
export function priceOutside(problem: Problem, request: Request): Outside {
  const { graph, tokens, u, amount, ν, source, outside } = problem
  if (outside.length === 0) return NOTHING
  const { from, to, gas, extraIn } = graph
  const prices = new Float64Array(graph.tokens.length).fill(Number.NaN)
  for (let k = 0; k < tokens.length; k++) prices[tokens[k]!] = u[k]!
  const edges = outsideEdges(problem, request)
  // Other edges at these tokens make no price.
  const logSpot = new Float64Array(from.length).fill(Number.NEGATIVE_INFINITY)
  for (const e of edges) logSpot[e] = graph.logSpot[e]!
  const incidence = incidenceOf(graph, graph.tokens.length)
  const inflowAt = (k: number) => (price: number, near: readonly number[]) => {
    prices[k] = price
    return near.reduce((sum, e) => {
      const ratio = Math.exp(prices[from[e]!]! - prices[to[e]!]!)
      const pieces = piecesOf(graph, e)
      return sum + (from[e] === k ? -inputAtOf(pieces, ratio) : outputUntil(pieces, ratio))
    }, 0)
  }
  // Pass by pass outwards until no further token gets a price; the last pass knows all neighbours.
  for (let left = outside.length, before = left + 1; left < before; ) {
    before = left
    for (const k of outside) {
      prices[k] = clearingPrice(incidence[k]!, logSpot, prices, Number.NaN, inflowAt(k))
    }
    left = outside.filter((k) => Number.isNaN(prices[k]!)).length
  }
  const earned = new Float64Array(graph.tokens.length)
  const { gasCost } = request.terms
  const nets: number[] = []
  let [turnover, leastGas] = [0, Number.POSITIVE_INFINITY]
  for (const e of edges) {
    leastGas = Math.min(leastGas, gas[e]!)
    const [uIn, uOut] = [prices[from[e]!]!, prices[to[e]!]!]
    // Most edges are far from any arbitrage, but some pools can pay more than their curves.
    const gap = logSpot[e]! - (uIn - uOut)
    if (Number.isNaN(gap) || !(gap > -LOG_PRICE_MARGIN || extraIn[e]! > 0)) continue
    const trade = bestTrade(graph, e, [Math.exp(uIn), Math.exp(uOut)], gasCost)
    nets.push(trade.net)
    turnover += trade.turnover
    for (const k of [from[e]!, to[e]!]) earned[k]! += Math.max(0, trade.net + gasCost * gas[e]!)
  }
  const least = PROMISING * amount * ν[source]!
  const promising = outside
    .filter((k) => earned[k]! > least)
    .sort((a, b) => earned[b]! - earned[a]! || a - b)
    .slice(0, MOST_PROMISING)
  return { nets, turnover, leastGas, prices, promising }
}

/** The edges at outside tokens that an acyclic route could use. */
function outsideEdges(problem: Problem, request: Request): readonly number[] {
  const { graph, tokens, source, sink, outside } = problem
  const { from, to, pools, poolOf } = graph
  const { reference, excludedPools } = request
  const [LOCAL, OUTSIDE] = [1, 2]
  const place = new Uint8Array(graph.tokens.length)
  for (const k of tokens) place[k] = LOCAL
  for (const k of outside) place[k] = OUTSIDE
  const edges: number[] = []
  for (let e = 0; e < from.length; e++) {
    const [a, b] = [place[from[e]!]!, place[to[e]!]!]
    if (a * b < OUTSIDE || reference.isClean[e] !== 1) continue
    if (to[e] === tokens[source] || from[e] === tokens[sink]) continue
    if (excludedPools.size === 0 || !excludedPools.has(pools[poolOf[e]!]!)) edges.push(e)
  }
  return edges
}
