// Approximates a smooth concave gain function from above by constant-product pieces, so that a
// bound computed with the pieces is a bound for the function too.

import type { Pieces } from './pieces.js'

/** A smooth concave gain function, with the scales of its input. */
export type Smooth = {
  /** Marginal price after all fees; never rises, never 0. */
  readonly price: (amountIn: number) => number
  readonly limit: number
  /** The reserve that sets the scale of the input. */
  readonly reserveIn: number
  /** An input beyond which a coarse approximation is enough. */
  readonly far: number
}

/** Length of a piece as part of the reserve plus input, near and far; each of the first ones doubles the input. */
const NEAR_LENGTH = 1 / 128
const FAR_LENGTH = 1 / 8
const FIRST_LENGTH = 1e-5

// Larger than the gaps between pieces and the rounding of floats.
const INFLATION = 1 + 1e-6
// A straight piece is bent by a thousandth of the inflation, so that its inverse exists.
const STRAIGHT = 1e9

/**
 * Constant-product pieces that are never below the function, and above it by little: a bound over
 * the pieces is valid for the function.
 *
 * In a piece, s = 1/√price is linear in the input. A linear function below s gives a price above
 * the true one: the tangent in the middle if s is convex, the chord if s is concave.
 */
export function envelopeOf({ price, limit, reserveIn, far }: Smooth): Pieces {
  const s = (x: number) => 1 / Math.sqrt(price(x))
  const startIn = [0]
  const startOut = [0]
  const prices: number[] = []
  const reserves: number[] = []
  for (let x = 0, sHere = s(0), out = 0; x < limit; ) {
    const part = (reserveIn + x) * (x < far ? NEAR_LENGTH : FAR_LENGTH)
    const wanted = x < far ? Math.min(part, Math.max(reserveIn * FIRST_LENGTH, x)) : part
    const end = Math.min(limit, x + wanted)
    const length = end - x
    const sEnd = s(end)
    const rise = Math.max(0, sEnd - sHere)
    const sStart = Math.min(sHere, s(x + length / 2) - rise / 2)
    const reserve = Math.min((sStart / rise) * length, STRAIGHT * length)
    const start = INFLATION / sStart ** 2
    out += (length * start) / (1 + length / reserve)
    prices.push(start)
    reserves.push(reserve)
    startIn.push(end)
    startOut.push(out)
    x = end
    sHere = sEnd
  }
  return {
    γ: 1,
    startIn: Float64Array.from(startIn),
    startOut: Float64Array.from(startOut),
    price: Float64Array.from(prices),
    reserveIn: Float64Array.from(reserves),
  }
}
