// A Gyro E-CLP as a gain function over floats. With x′ and y′ from the ellipse's centre, M = Aᵀ·A and
// (g, h) = −M·(x′, y′), the price is g/h, and an input dx moves both in closed form:
//
//   h(dx)² = h² − dx·(2x′ + dx)/λ²,   dy = (h(dx) − (h − R·dx))/S,   g(dx)² = g² − dy·(dy − 2y′)/λ²
//   M = ((P, R), (R, S)),  P = c²/λ² + s²,  R = s·c·(1 − 1/λ²),  S = c² + s²/λ²
//
// Nothing near 0 is computed as a difference of large floats: g and h are found in integers.

import type { Direction } from '../family.js'
import { largestBalance, offsetsOf } from './eclp.js'
import { eclpInvariant } from './eclpInvariant.js'
import type { EclpForm } from './pool.js'

/** The gain function in the common unit, without the fee. */
export type EclpGain = {
  readonly out: (amountIn: number) => number
  readonly price: (amountIn: number) => number
  /** The input at which the other balance is 0, or the contract refuses more. */
  readonly limit: number
  /** The balance of the token in at that end. */
  readonly balanceIn: number
}

const ONE_36 = 10n ** 36n
const ONE = 1e18

/** The gain in one direction; `undefined` if the pool has no invariant. */
export function eclpGain(
  form: EclpForm,
  { in: i, out: o }: Direction,
  live: readonly bigint[],
): EclpGain | undefined {
  const r = eclpInvariant(form, live)
  if (!r) return undefined
  const middle = (r.low + r.high) / 2n
  const offsets = offsetsOf(form, { low: middle, high: middle })
  const [x, y] = [live[i]! - offsets[i]!, live[o]! - offsets[o]!]
  // Seen from token 1, the ellipse is mirrored.
  const [c, s] = i === 0 ? [form.c, form.s] : [form.s, form.c]
  const [g, h] = gradientOf({ c, s, lambda: form.lambda }, x, y)
  if (!(g > 0 && h > 0)) return undefined
  const largest = largestBalance(form, r, i)
  const λ = Number(form.lambda) / ONE
  const [cosine, sine] = [Number(c) / ONE, Number(s) / ONE]
  const [P, R, S] = [
    (cosine / λ) ** 2 + sine ** 2,
    sine * cosine * (1 - 1 / λ ** 2),
    cosine ** 2 + (sine / λ) ** 2,
  ]
  const [X, Y] = [Number(x), Number(y)]
  const hAt = (dx: number) => Math.sqrt(Math.max(0, h * h - (dx / λ / λ) * (2 * X + dx)))
  const out = (dx: number) => {
    const [linear, root] = [h - R * dx, hAt(dx)]
    // The form of the root without a difference of nearly equal numbers.
    return linear > 0 ? (dx * (2 * g - P * dx)) / (linear + root) : (root - linear) / S
  }
  return {
    out,
    price: (dx) => {
      const dy = out(dx)
      return Math.sqrt(Math.max(0, g * g - (dy / λ / λ) * (dy - 2 * Y))) / hAt(dx)
    },
    limit: Math.min(Number(largest - live[i]!), inputFor(Number(live[o]!), { g, h, P, R, S })),
    balanceIn: Number(largest),
  }
}

/**
 * The input that takes out the whole balance dy: the smaller root of P·dx² − 2·(g + R·dy)·dx + C = 0 with
 * C = dy·(2h + S·dy). The contract's largest balance is off by the error of r, which may be more.
 */
function inputFor(dy: number, of: Readonly<Record<'g' | 'h' | 'P' | 'R' | 'S', number>>): number {
  const C = dy * (2 * of.h + of.S * dy)
  const half = of.g + of.R * dy
  return C / (half + Math.sqrt(Math.max(0, half * half - of.P * C)))
}

/** −M·(x, y), computed in integers. */
function gradientOf(
  { c, s, lambda }: Pick<EclpForm, 'c' | 's' | 'lambda'>,
  x: bigint,
  y: bigint,
): readonly [number, number] {
  const across = ((c * x - s * y) * ONE_36) / (lambda * lambda)
  const along = s * x + c * y
  return [Number(-(c * across + s * along)) / 1e36, Number(s * across - c * along) / 1e36]
}
