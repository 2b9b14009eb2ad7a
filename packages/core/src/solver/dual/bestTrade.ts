/**
 * The best trade of an edge, net of gas. Input: a curve in pieces and the prices of its two tokens.
 * Output: what the trade is worth. Each tick that a pool crosses costs gas, so the first pieces of a
 * curve alone are a cheaper edge: a column. The best trade is that of the best column.
 */
import { type Graph, piecesOf } from '../../graph.js'
import { inputAtOf, outOf, type Pieces, pieceAbove, pieceAt } from '../../math/pieces.js'
import { DUST, PRICE_DIGITS } from '../tuning.js'

/** An edge as the bound counts it: its curve, and gas that is never above that of the pool. */
export type ColumnEdge = {
  readonly pieces: Pieces
  /** As in `Curve.extraIn`. */
  readonly extraIn: number
  /** Least gas of a hop. */
  readonly gas: number
  /** Gas of each further piece; 0 if pieces are not ticks. */
  readonly stepGas: number
}

/** An edge of the graph as the bound counts it. */
export function columnEdgeOf(graph: Graph, e: number): ColumnEdge {
  const { extraIn, gas, stepGas } = graph
  return { pieces: piecesOf(graph, e), extraIn: extraIn[e]!, gas: gas[e]!, stepGas: stepGas[e]! }
}

/** A trade: its surplus net of gas, and the value traded with what floats cannot tell from it. */
export type Trade = { readonly net: number; readonly turnover: number }

/**
 * Least gas of a hop that ends in piece `j`: every piece that it enters is at least one tick. A swap
 * of one wei may cross the first ticks already; the least gas includes these.
 */
export function gasOfPiece({ gas, stepGas, pieces }: Omit<ColumnEdge, 'extraIn'>, j: number) {
  if (stepGas === 0 || j === 0) return gas
  return gas + stepGas * Math.max(0, j - pieceAt(pieces, DUST))
}

/**
 * The best trade of an edge at the prices of its tokens, in their unit. A pool can beat its curve by
 * the output of `extraIn`, which is worth at most its price.
 */
export function bestTrade(
  edge: ColumnEdge,
  [νIn, νOut]: readonly [number, number],
  gasMultiplier: number,
): Trade {
  const { pieces, extraIn, stepGas } = edge
  const { startIn, startOut } = pieces
  const ratio = νIn / νOut
  const end = inputAtOf(pieces, ratio)
  const above = pieceAbove(pieces, ratio)
  const last = Math.max(0, above)
  // A curve that ends before its pool does may have pieces without a width: they pay nonetheless.
  const isWhole = above >= 0 && end >= startIn[last + 1]!
  let net = Number.NEGATIVE_INFINITY
  for (let j = stepGas > 0 ? 0 : last; j <= last; j++) {
    const isPart = j === last && !isWhole
    const value = νOut * (isPart ? outOf(pieces, end) : startOut[j + 1]!)
    const surplus = value - νIn * (j === last ? end : startIn[j + 1]!)
    const one = Math.max(0, surplus) + νIn * extraIn - gasMultiplier * gasOfPiece(edge, j)
    if (one > net) net = one
  }
  const depth = end > 0 && !isWhole ? νIn * conductanceAt(pieces, last, ratio) : 0
  return { net, turnover: νIn * end + PRICE_DIGITS * depth }
}

/** ∂x/∂ln(1/ratio) where piece j has fallen to the marginal price `ratio`. */
function conductanceAt({ γ, price, reserveIn }: Pieces, j: number, ratio: number): number {
  return (reserveIn[j]! * Math.sqrt((γ * price[j]!) / ratio)) / (2 * γ)
}
