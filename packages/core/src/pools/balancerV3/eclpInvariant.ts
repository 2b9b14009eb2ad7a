// The invariant r of a Gyro E-CLP with a bound of its error, in the roundings of the contract.

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
import type { EclpForm } from './pool.js'

/** The invariant r: not above, and not below its true value. */
export type Bounds = { readonly low: bigint; readonly high: bigint }

const MAX_BALANCES = 10n ** 34n
const MAX_INVARIANT = 3n * 10n ** 37n
// The error of the root of a number whose true value is 0.
const ROOT_OF_A_WEI = 10n ** 9n
// Factors by which the contract multiplies its estimates of the errors.
const NUMERATOR_ERROR_FACTOR = 20n
const DENOMINATOR_ERROR_FACTOR = 40n
// The squares of the balances are too high by at most this many wei.
const SQUARES_SLACK = 9n

/**
 * r = (At·Aχ + √((At·Aχ)² − (Aχ·Aχ − 1)·(At·At))) / (Aχ·Aχ − 1) for the balances t, with its error:
 * the contract uses r and r + 2·error. `undefined` if it reverts. `calculateInvariantWithError`.
 */
export function eclpInvariant(form: EclpForm, live: readonly bigint[]): Bounds | undefined {
  const [x, y] = live as [bigint, bigint]
  const denominator = squareOfAχ(form) - ONE_38
  if (x + y > MAX_BALANCES || x + y === 0n || denominator <= 0n) return undefined
  const { root, error: ofRoot } = rootOf(form, x, y)
  const error = (mulOutward(form.lambda, x + y) / ONE_38 + ofRoot + 1n) * NUMERATOR_ERROR_FACTOR
  const inverse = div38(ONE_38, denominator)
  const r = floorBy38(productOfAχ(form, x, y) + root - error, inverse)
  // λ² without decimals.
  const square = (form.lambda * form.lambda) / 10n ** 36n
  const ofInverse = (ceilBy38(r, inverse) * square * DENOMINATOR_ERROR_FACTOR) / ONE_38
  const whole = ceilBy38(error, inverse) + ofInverse + 1n
  if (r <= 0n || r + whole > MAX_INVARIANT) return undefined
  return { low: r, high: r + 2n * whole }
}

/** Aχ·Aχ = (w/λ + z)² + (λ·u + v)², with 38 decimals, rounded up. */
function squareOfAχ({ u, v, w, z, lambda, dSq }: EclpForm): bigint {
  const dSq3 = mul38(mul38(dSq, dSq), dSq)
  const ofUV = mulOutward(lambda, div38(mul38(2n * u, v), dSq3))
  const ofU = mulOutward(mulOutward(div38(mul38(u + 1n, u + 1n), dSq3), lambda), lambda)
  const across = divOutward(w, lambda) + z
  return ofUV + ofU + div38(mul38(v, v), dSq3) + div38(mul38(across, across), dSq3)
}

/** At·Aχ = (c·x − s·y)/λ·(w/λ + z) + (s·x + c·y)·(λ·u + v), rounded down. */
function productOfAχ({ c, s, u, v, w, z, lambda, dSq }: EclpForm, x: bigint, y: bigint): bigint {
  const dSq2 = mul38(dSq, dSq)
  const across = div38(divInward(divInward(w, lambda) + z, lambda), dSq2)
  const stretched = mulInward(mulInward(x, lambda), s) + mulInward(mulInward(y, lambda), c)
  return (
    floorBy38(mulInward(x, c) - mulInward(y, s), across) +
    floorBy38(stretched, div38(u, dSq2)) +
    floorBy38(mulInward(x, s) + mulInward(y, c), div38(v, dSq2))
  )
}

/** √((At·Aχ)² − (Aχ·Aχ − 1)·(At·At)), rounded down, and its error. */
function rootOf(
  form: EclpForm,
  x: bigint,
  y: bigint,
): { readonly root: bigint; readonly error: bigint } {
  const square = ofFirstSquare(form, x, y) + ofProducts(form, x, y) + ofSecondSquare(form, x, y)
  const inside = (mulOutward(x, x) + mulOutward(y, y)) / ONE_38
  const root = sqrtFixed(square)
  if (root > 0n) return { root, error: divOutward(inside + 1n, 2n * root) }
  return { root, error: inside > 0n ? sqrtFixed(inside) : ROOT_OF_A_WEI }
}

/** (At)_x²·(1 − (Aχ)_y²), where (At)_x = (c·x − s·y)/λ and (Aχ)_y = λ·u + v; rounded down. */
function ofFirstSquare({ c, s, u, v, lambda, dSq }: EclpForm, x: bigint, y: bigint): bigint {
  const squares =
    mulOutward(mulOutward(mulOutward(x, x), c), c) +
    mulOutward(mulOutward(mulOutward(y, y), s), s) -
    mulInward(mulInward(mulInward(x, y), 2n * c), s)
  const factor =
    mul38(u, u) +
    divInward(mul38(2n * u, v), lambda) +
    divInward(divInward(mul38(v, v), lambda), lambda)
  const own = divInward(divInward(squares - SQUARES_SLACK, lambda), lambda)
  return floorBy38(-squares, div38(factor, fourth(dSq))) + floorBy38(own, div38(ONE_38, dSq))
}

/** 2·(At)_x·(At)_y·(Aχ)_x·(Aχ)_y, rounded down. */
function ofProducts({ c, s, u, v, w, z, lambda, dSq }: EclpForm, x: bigint, y: bigint): bigint {
  const twice = mulInward(y, 2n * x)
  const product =
    mulInward(mulInward(mulInward(x, x) - mulOutward(y, y), 2n * c), s) +
    mulInward(mulInward(twice, c), c) -
    mulInward(mulInward(twice, s), s)
  const factor =
    mul38(z, u) +
    divInward(divInward(mul38(w, v), lambda), lambda) +
    divInward(mul38(w, u) + mul38(z, v), lambda)
  return floorBy38(product, div38(factor, fourth(dSq)))
}

/** (At)_y²·(1 − (Aχ)_x²), where (At)_y = s·x + c·y and (Aχ)_x = w/λ + z; rounded down. */
function ofSecondSquare({ c, s, w, z, lambda, dSq }: EclpForm, x: bigint, y: bigint): bigint {
  const squares =
    mulOutward(mulOutward(mulOutward(x, x), s), s) +
    mulOutward(mulOutward(mulOutward(y, y), c), c) +
    mulOutward(mulOutward(mulOutward(x, y), 2n * s), c)
  const factor =
    mul38(z, z) +
    divInward(divInward(mul38(w, w), lambda), lambda) +
    divInward(mul38(2n * z, w), lambda)
  return (
    floorBy38(-squares, div38(factor, fourth(dSq))) +
    floorBy38(squares - SQUARES_SLACK, div38(ONE_38, dSq))
  )
}

/** dSq⁴ with 38 decimals. */
function fourth(dSq: bigint): bigint {
  return mul38(mul38(mul38(dSq, dSq), dSq), dSq)
}
