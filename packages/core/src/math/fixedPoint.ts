// Products and quotients of 18-decimal fixed-point numbers in the rounding of Balancer's contracts.
// No overflow is checked here: the callers keep their numbers within a uint256.

import { divUp } from './fullMath.js'
import { powFixed } from './logExp.js'

/** 1 with 18 decimals. */
export const ONE = 10n ** 18n

// The contracts assume that a power is exact to 10⁻¹⁴ of itself.
const MAX_POWER_ERROR = 10_000n

/** ⌊a·b⌋. */
export function mulDown(a: bigint, b: bigint): bigint {
  return (a * b) / ONE
}

/** ⌈a·b⌉. */
export function mulUp(a: bigint, b: bigint): bigint {
  return divUp(a * b, ONE)
}

/**
 * x^y, not less than its true value: exact for y = 1, 2 and 4, otherwise with the largest error of
 * {@link powFixed} added. `undefined` if the contract reverts. `FixedPoint.powUp`.
 */
export function powUp(x: bigint, y: bigint): bigint | undefined {
  if (y === ONE) return x
  if (y === 2n * ONE) return mulUp(x, x)
  if (y === 4n * ONE) {
    const square = mulUp(x, x)
    return mulUp(square, square)
  }
  const power = powFixed(x, y)
  return power === undefined ? undefined : power + mulUp(power, MAX_POWER_ERROR) + 1n
}
