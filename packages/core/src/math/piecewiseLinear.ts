// Converts a piecewise-linear gain function to constant-product pieces, the form that the solver
// uses.

import type { Pieces } from './pieces.js'

/** A segment of a piecewise-linear gain function. */
export type Line = {
  /** Input at which the segment ends, ascending from segment to segment; the first starts at 0. */
  readonly end: number
  /** Output per input; decreases from segment to segment. */
  readonly price: number
}

/**
 * Relative fall of the price within a piece: the solver needs a slope to determine amounts by
 * prices.
 */
const FALL = 2 ** -31
/** Largest ratio of the end of a piece to its start, so that the price falls at any scale. */
const STRETCH = 2 ** 10
/** Least end of a segment's first piece, relative to the end of the segment. */
const FIRST = 2 ** -70

/**
 * A piecewise-linear concave function as constant-product pieces. They are an outer envelope:
 * nowhere below the function, and above it by a relative error of at most 10⁻⁸ (about ten pieces
 * with `FALL` each). With constant prices the solver's Newton steps would have no slope.
 */
export function piecesOfLines(lines: readonly Line[]): Pieces {
  const cut = lines.flatMap(({ end, price }, i) => {
    const start = i === 0 ? 0 : lines[i - 1]!.end
    return price > 0 && end > start ? stretches(start, end).map((to) => ({ end: to, price })) : []
  })
  const count = cut.length
  const startIn = new Float64Array(count + 1)
  const startOut = new Float64Array(count + 1)
  const price = new Float64Array(count)
  const reserveIn = new Float64Array(count)
  for (const [j, { end, price: slope }] of cut.entries()) {
    const width = end - startIn[j]!
    const fall = (1 + (count - j) * FALL) / (1 + (count - j - 1) * FALL)
    // The reserve for which the price falls by `fall`: X = d / (√fall − 1), without cancellation.
    const reserve = (width * (Math.sqrt(fall) + 1)) / (fall - 1)
    price[j] = slope * (1 + (count - j) * FALL)
    reserveIn[j] = reserve
    startIn[j + 1] = end
    startOut[j + 1] = startOut[j]! + (width * price[j]!) / (1 + width / reserve)
  }
  return { γ: 1, startIn, startOut, price, reserveIn }
}

function stretches(start: number, end: number): readonly number[] {
  const ends: number[] = []
  for (let at = Math.max(start * STRETCH, end * FIRST); at < end; at *= STRETCH) ends.push(at)
  return [...ends, end]
}
