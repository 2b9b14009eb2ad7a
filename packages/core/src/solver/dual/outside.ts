/**
 * Clearing prices for the tokens outside the subgraph. Input: a problem with prices. Output: prices of all
 * tokens that routes can pass, at which a bound covers every edge, and the tokens worth adding to the
 * subgraph: column generation.
 */
import { piecesOf } from '../../graph.js'
import { inputAtOf, outputUntil } from '../../math/pieces.js'
import type { Problem } from '../network/problem.js'
import type { Relaxation } from '../network/relaxation.js'
import { MOST_PROMISING, PROMISING } from '../tuning.js'
import { clearingPrice, incidenceOf } from './clearingPrice.js'

/**
 * The log prices of all tokens of the relaxation: the problem's, and outside it those at which edges earn
 * least: between bid and ask if bid ≤ ask, otherwise where inflow equals outflow. Tokens next to priced
 * tokens come first.
 */
export function priceOutside(problem: Problem, relaxation: Relaxation): Float64Array {
  const { graph, tokens, u, outside } = problem
  if (outside.length === 0) return u.slice()
  const { from, to } = graph
  const prices = new Float64Array(graph.tokens.length).fill(Number.NaN)
  for (let k = 0; k < tokens.length; k++) prices[tokens[k]!] = u[k]!
  // Edges that no route can use make no price.
  const logSpot = new Float64Array(from.length).fill(Number.NEGATIVE_INFINITY)
  for (const e of relaxation.edges) logSpot[e] = graph.logSpot[e]!
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
  // No route passes a token that no edge connects, so that any price will do.
  return Float64Array.from(relaxation.tokens, (k) => (Number.isNaN(prices[k]!) ? 0 : prices[k]!))
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
