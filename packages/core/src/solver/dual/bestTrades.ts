/**
 * The arbitrage oracle net of gas, for a bound. Input: prices and a multiplier of gas. Output: what the best
 * trade of each edge is worth at most. Each tick that a pool crosses costs gas, so the first pieces of a
 * curve alone are a cheaper edge: a column.
 */
import { type Graph, piecesOf } from '../../graph.js'
import { inputAtOf, outOf, pieceAbove, pieceAt } from '../../math/pieces.js'
import type { Relaxation } from '../network/relaxation.js'
import { DUST, LOG_PRICE_MARGIN, PRICE_DIGITS } from '../tuning.js'

/** Prices and the multiplier of the block's gas. */
export type Point = {
  /** ln ν by local token. */
  readonly u: Float64Array
  /** Units of the token out per gas, at least the price of gas. */
  readonly gasMultiplier: number
}

/**
 * What the best trade of each edge is worth at a point, net of gas, and the value that all trade. An open edge
 * counts by its first price alone; a unit of a token out brings at most what `riseOf` says.
 */
export function tradesAt(
  { graph, edges, from, to }: Relaxation,
  { u, gasMultiplier }: Point,
  isOpen?: Uint8Array,
  riseOf = (_token: number) => 1,
): { readonly worth: Float64Array; readonly turnover: number } {
  const { logSpot, spot, gas, extraIn } = graph
  const worth = new Float64Array(edges.length)
  let turnover = 0
  for (let i = 0; i < edges.length; i++) {
    const e = edges[i]!
    const uIn = u[from[i]!]!
    const uOut = u[to[i]!]!
    // Most edges are far from any arbitrage, but some pools can pay more than their curves.
    const isNear = !isOpen?.[i] && logSpot[e]! > uIn - uOut - LOG_PRICE_MARGIN
    worth[i] = -gasMultiplier * gas[e]!
    if (!isNear && !(extraIn[e]! > 0)) continue
    const rise = riseOf(to[i]!)
    if (isNear && rise > 0) {
      const prices = [rise * Math.exp(uIn), rise * Math.exp(uOut)] as const
      const trade = bestTrade(graph, e, prices, gasMultiplier)
      worth[i] = trade.net
      turnover += trade.turnover
    } else
      worth[i]! += rise * extraIn[e]! * (isOpen?.[i] ? spot[e]! * Math.exp(uOut) : Math.exp(uIn))
  }
  return { worth, turnover }
}

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
 * The best trade of an edge at the prices of its tokens, in their unit: its surplus net of gas, and the value
 * traded. A pool can beat its curve by the output of `extraIn`, which is worth at most its price.
 */
export function bestTrade(
  graph: Graph,
  e: number,
  [νIn, νOut]: readonly [number, number],
  gasMultiplier: number,
): { readonly net: number; readonly turnover: number } {
  const pieces = piecesOf(graph, e)
  const { startIn, startOut } = pieces
  // The largest input that floats cannot tell from the best: it counts as turnover.
  const ratio = (νIn / νOut) * (1 - PRICE_DIGITS)
  const end = inputAtOf(pieces, ratio)
  const last = Math.max(0, pieceAbove(pieces, ratio))
  let net = Number.NEGATIVE_INFINITY
  for (let j = graph.stepGas[e]! > 0 ? 0 : last; j <= last; j++) {
    // A curve that ends before its pool does may have pieces without a width: they pay nonetheless.
    const isWhole = end >= startIn[j + 1]!
    const value = νOut * (isWhole ? startOut[j + 1]! : outOf(pieces, end))
    const surplus = value - νIn * (isWhole ? startIn[j + 1]! : end)
    const paid = gasMultiplier * gasOfPiece(graph, e, j)
    net = Math.max(net, Math.max(0, surplus) + νIn * graph.extraIn[e]! - paid)
  }
  return { net, turnover: νIn * end }
}
