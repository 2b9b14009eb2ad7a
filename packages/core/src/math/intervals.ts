/**
 * Equal intervals of ln(price), each of which costs gas to enter: words of a bitmap of ticks, or bins. A pool's
 * price falls through them from the one it is in.
 */
export type Intervals = {
  /** Gas of each interval after the first. */
  readonly gas: number
  readonly length: number
  /** The part of the first interval that lies behind the first price, from 0 to `length`. */
  readonly passed: number
}

// The rounding of a route's shares, a ten-millionth of an input, does not lead out of an interval from here.
const INSIDE = 1 - 1e-5

/** The intervals entered after the first when a price has fallen from the first to `price`. */
export function enteredAt({ length, passed }: Intervals, first: number, price: number): number {
  return Math.floor((Math.max(0, Math.log(first / price)) + passed) / length)
}

/** The lowest price, but for a margin, at which no more than so many intervals are entered. */
export function lowestPrice({ length, passed }: Intervals, first: number, entered: number): number {
  return first * Math.exp(-Math.max(0, (entered + 1) * length * INSIDE - passed))
}
