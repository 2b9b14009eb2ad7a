// Approximates a concave gain function from above by constant-product pieces, like envelope.ts, where
// the price is flat over a long range and falls within a short one: pieces end where 1/√price bends or
// the price has fallen, and join without a step.

import type { Pieces } from './pieces.js'

/** A concave gain function, with the scale of its input. */
export type Steep = {
  /** Marginal price after all fees; never rises, never 0. */
  readonly price: (amountIn: number) => number
  readonly limit: number
  readonly reserveIn: number
}

// The part by which the price may fall within a piece, and the part by which its chord may be too high:
// more where the price is a small part of the first one, because little is paid there.
const MAX_FALL = 0.4
const FIRST_BEND = 5e-5
const MAX_BEND = 0.1

// The first piece as a part of the reserve, the growth from piece to piece, and the longest piece as
// a part of the reserve and the input.
const FIRST_LENGTH = 1e-4
const GROWTH = 2
const MAX_LENGTH = 1 / 8
// The shortest, as the same part: the price may fall by more within it.
const MIN_LENGTH = 2 ** -30
// Larger than the rounding of floats, and than what the middle of a piece does not show.
const INFLATION = 1 + 1e-6
// Every piece is bent by this part, a thousandth of the inflation, so that its inverse exists and its end
// is not below the start of the next.
const MIN_RISE = 1e-9

/**
 * Constant-product pieces that are never below the function. In a piece, s = 1/√price is linear in the
 * input. The chord of s from end to end is lowered to its value in the middle where s bends upwards; at
 * the joint of two pieces, the lower value holds for both.
 */
export function steepEnvelopeOf(steep: Steep): Pieces {
  const { price, limit } = steep
  const ends = endsOf(steep)
  const values = ends.map((x) => 1 / Math.sqrt(price(x)))
  const joints = loweredOf(price, ends, values)
  for (let k = joints.length - 2; k >= 0; k--)
    joints[k] = Math.min(joints[k]!, joints[k + 1]! * (1 - MIN_RISE))
  const count = limit > 0 ? ends.length - 1 : 0
  const startOut = new Float64Array(count + 1)
  const prices = new Float64Array(count)
  const reserves = new Float64Array(count)
  for (let k = 0; k < count; k++) {
    const length = ends[k + 1]! - ends[k]!
    const rise = joints[k + 1]! - joints[k]!
    prices[k] = INFLATION / joints[k]! ** 2
    reserves[k] = (joints[k]! / rise) * length
    startOut[k + 1] = startOut[k]! + (length * prices[k]!) / (1 + length / reserves[k]!)
  }
  const startIn = Float64Array.from(ends.slice(0, count + 1))
  return { γ: 1, startIn, startOut, price: prices, reserveIn: reserves }
}

/**
 * The values of s at the joints, lowered so that no chord is above s. In a shortest piece s may rise
 * at once by orders of magnitude: the chord is then flat, because s is nowhere below its first value.
 */
function loweredOf(
  price: Steep['price'],
  ends: readonly number[],
  values: readonly number[],
): number[] {
  const joints = values.slice()
  for (let k = 0; k < ends.length - 1; k++) {
    const from = values[k]!
    const bend = Math.max(0, bendOf(price, ends[k]!, ends[k + 1]!))
    const isJump = bend > MAX_BEND * from
    if (!isJump) joints[k] = Math.min(joints[k]!, from - bend)
    joints[k + 1] = Math.min(joints[k + 1]!, isJump ? from : values[k + 1]! - bend)
  }
  return joints
}

/** Returns the height of the chord of s = 1/√price above s in the middle. */
function bendOf(price: Steep['price'], from: number, to: number): number {
  const middle = 1 / Math.sqrt(price((from + to) / 2))
  return (1 / Math.sqrt(price(from)) + 1 / Math.sqrt(price(to))) / 2 - middle
}

/** Returns the ends of pieces: growing lengths, halved until a piece is short enough. */
function endsOf({ price, limit, reserveIn }: Steep): readonly number[] {
  const ends = [0]
  let length = reserveIn * FIRST_LENGTH
  const first = price(0)
  let here = first
  for (let x = 0; x < limit; ) {
    const [shortest, longest] = [MIN_LENGTH * (reserveIn + x), MAX_LENGTH * (reserveIn + x)]
    const least = here * (1 - MAX_FALL)
    const bend = Math.min(MAX_BEND, (FIRST_BEND * first) / here) / Math.sqrt(here)
    length = Math.min(length * GROWTH, longest, limit - x)
    let there = price(x + length)
    while (length > shortest) {
      const isShort =
        there >= least &&
        (1 / Math.sqrt(here) + 1 / Math.sqrt(there)) / 2 - 1 / Math.sqrt(price(x + length / 2)) <=
          bend
      if (isShort) break
      length /= 2
      there = price(x + length)
    }
    x = length < limit - x ? x + length : limit
    here = there
    ends.push(x)
  }
  return ends
}
