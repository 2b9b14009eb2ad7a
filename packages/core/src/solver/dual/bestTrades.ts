/**
 * The arbitrage oracle net of gas, for a bound. Input: prices and a multiplier of gas. Output: what the best
 * trade of each edge is worth at most. Each tick that a pool crosses costs gas, so the first pieces of a
 * curve alone are a cheaper edge: a column.
 */
import { type Graph, piecesOf } from '../../graph.js'
import { inputAtOf, outOf, type Pieces, pieceAbove, pieceAt } from '../../math/pieces.js'
import type { Relaxation } from '../network/relaxation.js'
import { DUST, LOG_PRICE_MARGIN, PRICE_DIGITS } from '../tuning.js'

/** Prices and the multiplier of the block's gas. */
export type Point = {
  /** ln ν by local token. */
  readonly u: Float64Array
  /** Units of the token out per gas, at least the price of gas. */
  readonly gasMultiplier: number
}

/** By local edge, whether it counts by its first price alone, and what a unit of a token out brings at most. */
type Open = { readonly isOpen: Uint8Array; readonly riseOf: (token: number) => number }

/** What the best trade of each edge is worth at a point, net of gas, and the value that all trade. */
export function tradesAt(
  { graph, edges, from, to }: Relaxation,
  { u, gasMultiplier }: Point,
  open?: Open,
): { readonly worth: Float64Array; readonly turnover: number } {
  const { logSpot, spot, gas, extraIn } = graph
  const worth = new Float64Array(edges.length)
  let turnover = 0
  for (let i = 0; i < edges.length; i++) {
    const e = edges[i]!
    const uIn = u[from[i]!]!
    const uOut = u[to[i]!]!
    const isOpen = open?.isOpen[i] === 1
    // Most edges are far from any arbitrage, but some pools can pay more than their curves.
    const isNear = !isOpen && logSpot[e]! > uIn - uOut - LOG_PRICE_MARGIN
    worth[i] = -gasMultiplier * gas[e]!
    if (!isNear && !(extraIn[e]! > 0)) continue
    const rise = open ? open.riseOf(to[i]!) : 1
    if (isNear && rise > 0) {
      const prices = [rise * Math.exp(uIn), rise * Math.exp(uOut)] as const
      const trade = bestTrade(graph, e, prices, gasMultiplier)
      worth[i] = trade.net
      turnover += trade.turnover
    } else worth[i]! += rise * extraIn[e]! * (isOpen ? spot[e]! * Math.exp(uOut) : Math.exp(uIn))
  }
  return { worth, turnover }
}

/** A trade: its surplus net of gas, and the value traded with what floats cannot tell from it. */
export type Trade = { readonly net: number; readonly turnover: number }

/**
 * Least gas of a hop by edge `e` of the graph that ends in piece `j`: every piece that it enters is at least
 * one tick. A swap of one wei may cross the first ticks already; the least gas includes these.
 */
export function gasOfPiece(graph: Graph, e: number, j: number): number {
  const [gas, stepGas] = [graph.gas[e]!, graph.stepGas[e]!]
  if (stepGas === 0 || j === 0) return gas
  return gas + stepGas * Math.max(0, j - pieceAt(piecesOf(graph, e), DUST))
}

/**
 * The best trade of an edge at the prices of its tokens, in their unit. A pool can beat its curve by
 * the output of `extraIn`, which is worth at most its price.
 */
export function bestTrade(
  graph: Graph,
  e: number,
  [νIn, νOut]: readonly [number, number],
  gasMultiplier: number,
): Trade {
  const pieces = piecesOf(graph, e)
  const { startIn, startOut } = pieces
  const ratio = νIn / νOut
  const end = inputAtOf(pieces, ratio)
  const above = pieceAbove(pieces, ratio)
  const last = Math.max(0, above)
  // A curve that ends before its pool does may have pieces without a width: they pay nonetheless.
  const isWhole = above >= 0 && end >= startIn[last + 1]!
  let net = Number.NEGATIVE_INFINITY
  for (let j = graph.stepGas[e]! > 0 ? 0 : last; j <= last; j++) {
    const isPart = j === last && !isWhole
    const value = νOut * (isPart ? outOf(pieces, end) : startOut[j + 1]!)
    const surplus = value - νIn * (j === last ? end : startIn[j + 1]!)
    const paid = gasMultiplier * gasOfPiece(graph, e, j)
    const one = Math.max(0, surplus) + νIn * graph.extraIn[e]! - paid
    if (one > net) net = one
  }
  const depth = end > 0 && !isWhole ? νIn * conductanceAt(pieces, last, ratio) : 0
  return { net, turnover: νIn * end + PRICE_DIGITS * depth }
}

/** ∂x/∂ln(1/ratio) where piece j has fallen to the marginal price `ratio`. */
function conductanceAt({ γ, price, reserveIn }: Pieces, j: number, ratio: number): number {
  return (reserveIn[j]! * Math.sqrt((γ * price[j]!) / ratio)) / (2 * γ)
}
