import type { Pieces } from './pieces.js'

/** A stretch of input over which every unit brings the same. */
export type Line = {
  /** Input up to which it holds, from 0 and ascending from line to line. */
  readonly end: number
  /** Output per input; falls from line to line. */
  readonly price: number
}

/** How much a price falls within one piece: a search by prices needs some fall to see amounts by. */
const FALL = 2 ** -31
/** Each piece ends at most this many times as far out as it begins, so that a fall is felt at any size. */
const STRETCH = 2 ** 10
/** Where the first piece ends, as part of all. */
const FIRST = 2 ** -70

/**
 * A concave function made of straight lines as constant-product pieces. They are the function's
 * outer envelope: nowhere below it, and above it by a part of 10⁻⁸ at most (some ten pieces of
 * {@link FALL} each). Flat prices would leave the solver's Newton steps without a slope.
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
    // The price has fallen by that much at the end: X = d / (√fall − 1), with the digits kept.
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
