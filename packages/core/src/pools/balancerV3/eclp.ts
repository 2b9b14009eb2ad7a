// The formula of a Gyro E-CLP: the balances lie on an ellipse that the matrix A maps to a circle.
//
//   A = ((c/λ, −s/λ), (s, c)),  |A·(balances − offsets)| = r,  offsets = r·χ
//   χ = (λ·c·τβ.x + s·τβ.y, −λ·s·τα.x + c·τα.y),  τ(p) = (λ·(c·p − s), s·p + c) as a unit vector
//
// `Gyroscope E-CLP Mathematics` derives it. Every step has its own rounding, and what the roundings
// can add up to is taken as an error of r, so that the pool never pays too much.

import {
  ceilBy38,
  div38,
  divInward,
  divOutward,
  floorBy38,
  mul38,
  mulInward,
  mulOutward,
  ONE_38,
  sqrtFixed,
} from '../../math/signedFixedPoint.js'
import { type Bounds, eclpInvariant } from './eclpInvariant.js'
import type { EclpForm, ScaledSwap, Vector } from './pool.js'

const MAX_BALANCE = 10n ** 34n

/**
 * Output of an E-CLP for an input after the fee, in the common unit of 18 decimals; `undefined` if it
 * reverts. `GyroECLPPool.onSwap`.
 */
export function eclpOut(form: EclpForm, { i, o, live, amountIn }: ScaledSwap): bigint | undefined {
  const r = eclpInvariant(form, live)
  if (!r) return undefined
  const after = live[i]! + amountIn
  if (after > MAX_BALANCE || after > largestBalance(form, r, i)) return undefined
  const left = otherBalance(form, r, { i, balance: after })
  // Near the end of an ellipse, the error of r can leave less than 0: the contract reverts.
  return left < 0n || left > live[o]! ? undefined : live[o]! - left
}

/** The largest balance of token `i` that an ellipse has: that of the other token is then 0. */
export function largestBalance(form: EclpForm, r: Bounds, i: number): bigint {
  const { c, s, lambda, tauAlpha, tauBeta, dSq } = form
  const across = div38(tauBeta.x - tauAlpha.x, dSq)
  const rise = i === 0 ? tauBeta.y - tauAlpha.y : tauAlpha.y - tauBeta.y
  const along = div38(rise, dSq)
  const [ofAcross, ofAlong] = i === 0 ? [c, s] : [s, c]
  const wide = floorBy38(mulInward(mulInward(r.low, lambda), ofAcross), across)
  const part = along > 0n ? mulInward(r.low, ofAlong) : mulOutward(r.high, ofAlong)
  return wide + floorBy38(part, along)
}

/** The centre of the ellipse, r·χ, each coordinate rounded up. */
export function offsetsOf(form: EclpForm, r: Bounds): readonly [bigint, bigint] {
  const { c, s, lambda, tauAlpha, tauBeta, dSq } = form
  const [betaX, alphaX] = [div38(tauBeta.x, dSq), div38(tauAlpha.x, dSq)]
  const ofBeta =
    tauBeta.x > 0n
      ? ceilBy38(mulOutward(mulOutward(r.high, lambda), c), betaX)
      : ceilBy38(mulInward(mulInward(r.low, lambda), c), betaX)
  const ofAlpha =
    tauAlpha.x < 0n
      ? ceilBy38(mulOutward(mulOutward(r.high, lambda), s), -alphaX)
      : ceilBy38(mulInward(mulInward(-r.low, lambda), s), alphaX)
  return [
    ofBeta + ceilBy38(mulOutward(r.high, s), div38(tauBeta.y, dSq)),
    ofAlpha + ceilBy38(mulOutward(r.high, c), div38(tauAlpha.y, dSq)),
  ]
}

/** The ellipse seen from the token whose balance is given: for token 1 it is mirrored. */
type View = Pick<EclpForm, 'c' | 's' | 'lambda' | 'dSq'> & {
  readonly r: Bounds
  readonly tau: Vector
}

/**
 * The balance of the other token at a balance of token `i`, rounded up: the smaller root of the
 * ellipse's quadratic equation,
 *
 *   y = b + (−x′·s·c·(1 − 1/λ²) − √(r²·(1 − s²·(1 − 1/λ²)) − x′²/λ²)) / (1 − s²·(1 − 1/λ²)),  x′ = x − a
 */
function otherBalance(
  form: EclpForm,
  r: Bounds,
  { i, balance: x }: { readonly i: number; readonly balance: bigint },
): bigint {
  const offsets = offsetsOf(form, r)
  const [own, other] = i === 0 ? offsets : [offsets[1], offsets[0]]
  const { lambda, dSq, tauAlpha, tauBeta } = form
  const tau = i === 0 ? tauBeta : { x: -tauAlpha.x, y: tauAlpha.y }
  const [c, s] = i === 0 ? [form.c, form.s] : [form.s, form.c]
  // 1 − 1/λ², too high and too low.
  const highBar = ONE_38 - divInward(divInward(ONE_38, lambda), lambda)
  const lowBar = ONE_38 - divOutward(divOutward(ONE_38, lambda), lambda)
  const distance = own - x
  const linear =
    distance < 0n
      ? ceilBy38(mulInward(mulInward(distance, s), c), div38(lowBar, dSq))
      : ceilBy38(mulOutward(mulOutward(distance, s), c), div38(highBar, dSq) + 1n)
  // 1 − s²·(1 − 1/λ²), too high and too low.
  const high = ONE_38 - div38(mulInward(mulInward(lowBar, s), s), dSq)
  const low = ONE_38 - (div38(mulOutward(mulOutward(highBar, s), s), dSq + 1n) + 1n)
  const square =
    floorBy38(mulInward(r.low, r.low), low) - squareOfDistance({ r, tau, c, s, lambda, dSq }, x)
  const numerator = linear - sqrtFixed(square)
  const inverse = numerator > 0n ? div38(ONE_38, low) + 1n : div38(ONE_38, high)
  return ceilBy38(numerator, inverse) + other
}

// The quotients of 38 decimals are too low by at most this.
const SLACK = 7n
const SLACK_OF_TAU = 3n

/**
 * x′²/λ², rounded up, without the difference x′ = x − r·(λ·c·τ.x + s·τ.y) of nearly equal numbers:
 *
 *   r²c²·τ.x² + (r²·2sc·τ.x·τ.y − r·x·2c·τ.x)/λ + (r²s²·τ.y² − r·x·2s·τ.y + x²)/λ²
 */
function squareOfDistance({ r, tau, c, s, lambda, dSq }: View, x: bigint): bigint {
  const dSq2 = mul38(dSq, dSq)
  const highSquare = mulOutward(r.high, r.high)
  const mixed = div38(mul38(tau.x, tau.y), dSq2)
  const ofBoth =
    mixed > 0n
      ? ceilBy38(mulOutward(mulOutward(highSquare, 2n * s), c), mixed + SLACK)
      : ceilBy38(mulInward(mulInward(mulInward(r.low, r.low), 2n * s), c), mixed)
  const tauX = div38(tau.x, dSq)
  const ofX =
    tau.x < 0n
      ? ceilBy38(mulOutward(mulOutward(r.high, x), 2n * c), -tauX + SLACK_OF_TAU)
      : ceilBy38(mulInward(mulInward(-r.low, x), 2n * c), tauX)
  const squareY = div38(mul38(tau.y, tau.y), dSq2) + SLACK
  const lowest =
    ceilBy38(mulOutward(mulOutward(highSquare, s), s), squareY) +
    ceilBy38(mulInward(mulInward(-r.low, x), 2n * s), div38(tau.y, dSq)) +
    mulOutward(x, x)
  const squareX = div38(mul38(tau.x, tau.x), dSq2) + SLACK
  const first = ceilBy38(mulOutward(mulOutward(highSquare, c), c), squareX)
  return first + divCeil(ofBoth + ofX + divCeil(lowest, lambda), lambda)
}

/** a/b rounded up, for a positive b. */
function divCeil(a: bigint, b: bigint): bigint {
  return a > 0n ? divOutward(a, b) : divInward(a, b)
}
