// Gain functions in a common unit, after the fee, as curves in the wei of two tokens, with an
// envelope of constant-product pieces from above for the solver.

import { envelopeOf } from './envelope.js'
import type { Pieces } from './pieces.js'
import { steepEnvelopeOf } from './steepEnvelope.js'

/** A concave gain function in a common unit, after the fee. */
export type Gain = {
  readonly out: (amountIn: number) => number
  readonly price: (amountIn: number) => number
  /** The input at which the price has fallen this far, if there is a closed form. */
  readonly inputAt?: (price: number) => number
  readonly limit: number
  readonly balanceIn: number
  /** The input by which the integers may exceed the function. */
  readonly extraIn?: number
  /** True if the price falls by many orders of magnitude within the limit. */
  readonly isSteep: boolean
}

/** The value of one wei of each token in the common unit, and the largest input in wei. */
export type GainUnits = {
  /** The fee, as a part of the input. */
  readonly fee: number
  readonly unitIn: number
  readonly unitOut: number
  readonly maxIn: number
}

// A limit in floats is this much below the one in integers.
const EARLY = 1 - 1e-9

/** No pieces, and the curve that pays nothing. */
export const NO_PIECES: Pieces = {
  ...{
    γ: 1,
    startIn: /* @__PURE__ */ Float64Array.of(0),
    startOut: /* @__PURE__ */ Float64Array.of(0),
  },
  ...{ price: /* @__PURE__ */ Float64Array.of(), reserveIn: /* @__PURE__ */ Float64Array.of() },
}
export const NO_CURVE = {
  ...{ out: () => 0, price: () => 0, inputAt: () => 0, limit: 0, pieces: NO_PIECES },
}

/** The gain function in wei; without one, the curve that pays nothing. */
export function curveOfGain(gain: Gain | undefined, units: GainUnits) {
  if (!gain || !(gain.limit > 0 && units.maxIn > 0)) {
    return NO_CURVE
  }
  const { unitIn, unitOut } = units
  // The value of one wei of the input in the formula.
  const scale = (1 - units.fee) * unitIn
  const limit = Math.min((gain.limit / scale) * EARLY, units.maxIn)
  const inside = (x: number) => scale * Math.min(Math.max(x, 0), limit)
  const price = (x: number) => (scale / unitOut) * gain.price(inside(x))
  const { inputAt } = gain
  let built: Pieces | undefined
  return {
    out: (x: number) => gain.out(inside(x)) / unitOut,
    price,
    inputAt: inputAt
      ? (p: number) => Math.min(limit, inputAt((p * unitOut) / scale) / scale)
      : (p: number) => lastAbove(price, p, limit),
    limit,
    ...(gain.extraIn !== undefined && { extraIn: gain.extraIn / scale }),
    get pieces() {
      const reserveIn = gain.balanceIn / scale
      built ??= gain.isSteep
        ? steepEnvelopeOf({ price, limit, reserveIn })
        : envelopeOf({ price, limit, reserveIn, far: limit })
      return built
    },
  }
}

/**
 * out = Y·(1 − (X/(X + a))^w), the constant weighted product, w the weight of the token in divided by
 * that of the token out. Its inverse is in closed form too: a = X·((w·Y/(p·X))^(1/(w + 1)) − 1).
 */
export function weightedGain(X: number, Y: number, w: number): Omit<Gain, 'limit'> {
  const spot = (w * Y) / X
  return {
    // expm1 and log1p keep the digits of a small input.
    out: (a) => -Y * Math.expm1(-w * Math.log1p(a / X)),
    price: (a) => spot * Math.exp(-(w + 1) * Math.log1p(a / X)),
    inputAt: (p) => (p >= spot ? 0 : X * Math.expm1(Math.log(spot / p) / (w + 1))),
    ...{ balanceIn: X, isSteep: false },
  }
}

/** The input at which a falling price reaches `wanted`, within the limit. */
export function lastAbove(...asked: Parameters<typeof inputsAround>): number {
  return inputsAround(...asked)[0]
}

/** The inputs between which a falling price reaches `wanted`, within the limit, by bisection. */
export function inputsAround(
  price: (x: number) => number,
  wanted: number,
  limit: number,
): readonly [number, number] {
  if (limit === 0 || price(0) <= wanted) return [0, 0]
  if (price(limit) >= wanted) return [limit, limit]
  let low = 0
  let high = limit
  // Halves the exponent first, because inputs span many orders of magnitude.
  for (let step = 0; step < 200 && high - low > high * 1e-15; step++) {
    const middle = low > 0 && high > 2 * low ? Math.sqrt(low) * Math.sqrt(high) : (low + high) / 2
    if (price(middle) > wanted) low = middle
    else high = middle
  }
  return [low, high]
}
