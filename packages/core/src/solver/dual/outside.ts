/**
 * Clearing prices for the tokens outside the subgraph. Input: a problem with prices. Output:
 * {@link Outside}, the arbitrage of every outside edge, which completes the bound, and the tokens
 * worth adding to the subgraph: column generation.
 */
import { type Graph, piecesOf } from '../../graph.js'
import { inputAtOf, outputUntil } from '../../math/pieces.js'
import { incidenceOf } from '../network/incidence.js'
import type { Problem } from '../network/problem.js'
import type { Request } from '../terms.js'
import { LOG_PRICE_MARGIN, MOST_PROMISING, PROMISING } from '../tuning.js'
import { clearingPrice, type Market } from './clearingPrice.js'

// Where a token can be: in the problem, or outside it but on some route.
const [LOCAL, OUTSIDE] = [1, 2]

/**
 * The outside of a problem: prices of the tokens it leaves out, and the arbitrage of their edges.
 */
export type Outside = {
  /** The arbitrage of each edge that earns at the prices, net of its gas. */
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

/**
 * Prices the outside tokens so that their edges earn least: between bid and ask if bid ≤ ask,
 * otherwise where inflow equals outflow. Tokens next to priced tokens come first. At these prices
 * the bound covers every edge that an acyclic route could use.
 */
export function priceOutside(problem: Problem, request: Request): Outside {
  const { graph, tokens, u, amount, ν, source, outside: left } = problem
  if (left.length === 0) {
    const prices = new Float64Array(0)
    const leastGas = Number.POSITIVE_INFINITY
    return { nets: [], turnover: 0, leastGas, prices, promising: [] }
  }
  const isLocal = new Uint8Array(graph.tokens.length)
  const price = new Float64Array(graph.tokens.length).fill(Number.NaN)
  const worth = new Float64Array(graph.tokens.length)
  for (let k = 0; k < tokens.length; k++) {
    price[tokens[k]!] = u[k]!
    worth[tokens[k]!] = Math.exp(u[k]!)
    isLocal[tokens[k]!] = 1
  }
  const prices = { price, worth }
  const around = usableNeighbourhood(problem, request)
  const isQuiet = new Uint8Array(left.length)
  // Pass by pass outwards until no further token gets a price; the last pass knows all neighbours.
  for (let unpriced = left.length + 1, now = left.length; now < unpriced; ) {
    unpriced = now
    now = 0
    for (let n = 0; n < left.length; n++) {
      const k = left[n]!
      // If all neighbours are in the problem, a second pass changes nothing.
      if (!around.isNear[n] || Number.isNaN(price[k]!)) {
        const cleared = clearingPrice(around, n, price, Number.NaN, (u, near) => {
          worth[k] = Math.exp(u)
          return netFlow(graph, worth, k, near)
        })
        price[k] = cleared.price
        worth[k] = Math.exp(cleared.price)
        isQuiet[n] = cleared.isQuiet ? 1 : 0
      }
      if (Number.isNaN(price[k]!)) now++
    }
  }
  const earned = new Float64Array(left.length)
  const { gasCost } = request.terms
  const nets: number[] = []
  let turnover = 0
  for (let n = 0; n < left.length; n++) {
    if (around.isNear[n] && isQuiet[n]) continue
    for (let s = around.first[n]!; s < around.first[n + 1]!; s++) {
      const e = around.edges[s]!
      const { surplus, traded, extra } = tradeOf(graph, prices, e)
      if (!(surplus + extra > 0)) continue
      // The loop meets an edge between two outside tokens at both ends: count it at its token in.
      if (isLocal[around.others[s]!] || around.leadsOut[s]) {
        nets.push(surplus + extra - gasCost * graph.gas[e]!)
        turnover += traded
      }
      earned[n]! += surplus
    }
  }
  const { leastGas } = around
  const least = PROMISING * amount * ν[source]!
  const promising = Array.from(left.keys())
    .filter((n) => earned[n]! > least)
    .sort((a, b) => earned[b]! - earned[a]! || left[a]! - left[b]!)
    .slice(0, MOST_PROMISING)
    .map((n) => left[n]!)
  return { nets, turnover, leastGas, prices: price, promising }
}

/**
 * The edges at the outside tokens that an acyclic route could use. Those of the n-th token are
 * numbered from `first[n]` up to `first[n + 1]`.
 */
type Neighbourhood = Market & {
  /**
   * Whether all neighbours of a token are in the problem and none of its edges can beat its curve.
   */
  readonly isNear: Uint8Array
  readonly leastGas: number
}

// The outside of a problem is priced several times and its edges do not change, so they are cached.
const neighbourhoods = new WeakMap<Problem, Neighbourhood>()

function usableNeighbourhood(
  problem: Problem,
  { reference: { isClean }, excludedPools }: Request,
): Neighbourhood {
  const made = neighbourhoods.get(problem)
  if (made) return made
  const { graph, tokens, source, sink, outside } = problem
  const { gas } = graph
  const isOnWay = new Uint8Array(graph.tokens.length)
  for (const k of tokens) isOnWay[k] = LOCAL
  for (const k of outside) isOnWay[k] = OUTSIDE
  const [start, end] = [tokens[source]!, tokens[sink]!]
  const all = incidenceOf(graph, graph.tokens.length)
  let count = 0
  for (const k of outside) count += all.first[k + 1]! - all.first[k]!
  const first = new Int32Array(outside.length + 1)
  const edges = new Int32Array(count)
  const others = new Int32Array(count)
  const leadsOut = new Uint8Array(count)
  const isNear = new Uint8Array(outside.length).fill(1)
  let leastGas = Number.POSITIVE_INFINITY
  let length = 0
  for (const [n, k] of outside.entries()) {
    for (let s = all.first[k]!; s < all.first[k + 1]!; s++) {
      const e = all.edges[s]!
      const other = all.others[s]!
      if (isClean[e] !== 1 || !isOnWay[other]) continue
      if (other === (all.leadsOut[s] ? start : end)) continue
      if (excludedPools.size > 0 && excludedPools.has(graph.pools[graph.poolOf[e]!]!)) continue
      leastGas = Math.min(leastGas, gas[e]!)
      // An edge that can beat its curve earns something even if bid ≤ ask.
      if (isOnWay[other] === OUTSIDE || graph.extraIn[e]! > 0) isNear[n] = 0
      edges[length] = e
      others[length] = other
      leadsOut[length++] = all.leadsOut[s]!
    }
    first[n + 1] = length
  }
  const { logSpot } = graph
  const around = { first, edges, others, leadsOut, logSpot, isNear, leastGas }
  neighbourhoods.set(problem, around)
  return around
}

/** ln ν and ν by graph number of the token; NaN if the token has no price. */
type Prices = { readonly price: Float64Array; readonly worth: Float64Array }

/** Inflow minus outflow of token k; increases with its price. */
function netFlow(graph: Graph, worth: Float64Array, k: number, edges: readonly number[]): number {
  const { from, to, spot } = graph
  let net = 0
  for (let s = 0; s < edges.length; s++) {
    const e = edges[s]!
    const ratio = worth[from[e]!]! / worth[to[e]!]!
    if (!(spot[e]! > ratio)) continue
    const pieces = piecesOf(graph, e)
    net += from[e] === k ? -inputAtOf(pieces, ratio) : outputUntil(pieces, ratio)
  }
  return net
}

/**
 * The arbitrage of an edge, the value that it trades, and that of the extra input that covers how far
 * it can beat its curve; none if one of its tokens has no price.
 */
function tradeOf(graph: Graph, { price, worth }: Prices, e: number) {
  const { from, to, spot, logSpot, extraIn } = graph
  const [νIn, νOut] = [worth[from[e]!]!, worth[to[e]!]!]
  const logRatio = price[from[e]!]! - price[to[e]!]!
  const extra = extraIn[e]! > 0 && !Number.isNaN(logRatio) ? νIn * extraIn[e]! : 0
  // Most edges are far from any arbitrage: skip the division for them.
  const isNear = logSpot[e]! > logRatio - LOG_PRICE_MARGIN && spot[e]! > νIn / νOut
  if (!isNear) return { surplus: 0, traded: 0, extra }
  const pieces = piecesOf(graph, e)
  const traded = νIn * inputAtOf(pieces, νIn / νOut)
  return { surplus: νOut * outputUntil(pieces, νIn / νOut) - traded, traded, extra }
}
