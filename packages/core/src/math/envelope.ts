import type { Pieces } from './pieces.js'

/** A concave gain function of one scale: where its input begins to matter, and where it is spent. */
export type Smooth = {
  /** Marginal price after all fees; never rises, never 0. */
  readonly price: (amountIn: number) => number
  readonly limit: number
  /** The reserve that inputs are measured against. */
  readonly reserveIn: number
  /** An input past which the price is of little interest. */
  readonly far: number
}

/** Length of a piece in parts of the reserve after its input, near and far; and of a small input. */
const [NEAR, FAR, OF_INPUT] = [1 / 128, 1 / 8, 1 / 4]
const FIRST = 1e-5

// The seams of the pieces and the roundings of floats are smaller than this.
const INFLATION = 1 + 1e-6
// A straight piece bends by a thousandth of the inflation, so that its inverse exists.
const STRAIGHT = 1e9

/**
 * Constant-product pieces that never promise less than the function, and hardly more: a certificate
 * over them holds for the function too.
 *
 * A piece is a straight line of s = 1/√price over the input. Where s is convex the tangent in the
 * middle lies below it, where it is concave the chord does; a lower s is a higher price.
 */
export function envelopeOf({ price, limit, reserveIn, far }: Smooth): Pieces {
  const s = (x: number) => 1 / Math.sqrt(price(x))
  const startIn = [0]
  const startOut = [0]
  const prices: number[] = []
  const reserves: number[] = []
  for (let x = 0, sHere = s(0), out = 0; x < limit; ) {
    const part = (reserveIn + x) * (x < far ? NEAR : FAR)
    const wanted = x < far ? Math.min(part, Math.max(reserveIn * FIRST, x * OF_INPUT)) : part
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
