/**
 * Columns: an edge with the number of pieces of its curve that it may use. Input: a curve in pieces
 * and the prices of its two tokens. Output: per column its best trade, and the least gas of it. Each
 * tick that a pool crosses costs gas, so fewer pieces are a cheaper edge.
 */
import { inputAtOf, outOf, type Pieces, pieceAbove, pieceAt } from '../../math/pieces.js'

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

/** The columns of one edge at some prices: values in units of the sink. Reused for every edge. */
export type Columns = {
  count: number
  /** What the best trade within the pieces of each column gains, before its gas. */
  readonly surplus: number[]
  readonly gas: number[]
  readonly valueIn: number[]
  readonly valueOut: number[]
  /** Conductance at the trade: 0 if the end of the column or the cap on the input stops it. */
  readonly conductance: number[]
}

// A swap of this many wei may cross ticks that the least gas includes.
const DUST = 2

/** Columns to be filled. */
export function makeColumns(): Columns {
  return { count: 0, surplus: [], gas: [], valueIn: [], valueOut: [], conductance: [] }
}

/**
 * Least gas of a hop that ends in piece `j`: every piece that it enters is at least one tick. A swap
 * of one wei may cross the first ticks already; the least gas includes these.
 */
export function gasOfPiece({ gas, stepGas, pieces }: Omit<ColumnEdge, 'extraIn'>, j: number) {
  if (stepGas === 0 || j === 0) return gas
  return gas + stepGas * Math.max(0, j - pieceAt(pieces, DUST))
}

/**
 * Fills the columns of an edge: one per piece up to that of the best trade, or a single one if
 * pieces cost no gas. `most` caps the input in wei. A pool can beat its curve by the output of
 * `extraIn`, which is worth at most its price.
 */
export function fillColumns(
  columns: Columns,
  edge: ColumnEdge,
  [νIn, νOut]: readonly [number, number],
  most: number,
): void {
  const { pieces, extraIn, stepGas } = edge
  const { surplus, gas, valueIn, valueOut, conductance } = columns
  const { startIn, startOut } = pieces
  const ratio = νIn / νOut
  const cap = most + extraIn
  const end = Math.min(inputAtOf(pieces, ratio), cap)
  const above = pieceAbove(pieces, ratio)
  const last = above < 0 ? 0 : Math.min(above, pieceAt(pieces, end))
  // A curve that ends before its pool does may have pieces without a width: they pay nonetheless.
  const isWhole = above >= 0 && end >= startIn[last + 1]!
  const first = stepGas > 0 ? 0 : last
  columns.count = last - first + 1
  for (let j = first; j <= last; j++) {
    const k = j - first
    const isLast = j === last
    valueIn[k] = νIn * (isLast ? end : startIn[j + 1]!)
    valueOut[k] = νOut * (isLast && !isWhole ? outOf(pieces, end) : startOut[j + 1]!)
    surplus[k] = Math.max(0, valueOut[k]! - valueIn[k]!) + νIn * extraIn
    gas[k] = gasOfPiece(edge, j)
    conductance[k] = 0
  }
  const isFree = end > 0 && end < cap && end < startIn[last + 1]!
  if (isFree) conductance[last - first] = conductanceAt(pieces, last, ratio) * νIn
}

/** ∂x/∂ln(1/ratio) where piece j has fallen to the marginal price `ratio`. */
function conductanceAt({ γ, price, reserveIn }: Pieces, j: number, ratio: number): number {
  return (reserveIn[j]! * Math.sqrt((γ * price[j]!) / ratio)) / (2 * γ)
}

/** The column with the highest surplus net of its gas. */
export function bestColumn({ count, surplus, gas }: Columns, gasMultiplier: number): number {
  let best = 0
  for (let k = 1; k < count; k++) {
    const gain = surplus[k]! - surplus[best]!
    if (gain > gasMultiplier * (gas[k]! - gas[best]!)) best = k
  }
  return best
}
