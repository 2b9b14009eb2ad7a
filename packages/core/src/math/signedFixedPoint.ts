// Signed fixed-point numbers with 18 decimals and factors with 38, in the roundings of Gyroscope's pools.
// "Inward" rounds a magnitude down and "outward" rounds it up; "floor" and "ceil" have their usual sense.
// No overflow is checked here: the callers keep their numbers within an int256.

import { ONE } from './fixedPoint.js'
import { sqrtDown } from './fullMath.js'

/** 1 with 38 decimals. */
export const ONE_38 = 10n ** 38n

// A factor with 38 decimals is multiplied in two halves of 19, so that the product fits 256 bits.
const HALF = 10n ** 19n
const STEPS = 7

/** a·b, the magnitude rounded down. */
export function mulInward(a: bigint, b: bigint): bigint {
  return (a * b) / ONE
}

/** a·b, the magnitude rounded up. */
export function mulOutward(a: bigint, b: bigint): bigint {
  return outward(a * b, ONE)
}

/** a/b, the magnitude rounded down. */
export function divInward(a: bigint, b: bigint): bigint {
  return (a * ONE) / b
}

/** a/b for a positive b, the magnitude rounded up. */
export function divOutward(a: bigint, b: bigint): bigint {
  return outward(a * ONE, b)
}

/** a·b of two numbers with 38 decimals, the magnitude rounded down. */
export function mul38(a: bigint, b: bigint): bigint {
  return (a * b) / ONE_38
}

/** a/b of two numbers with 38 decimals, the magnitude rounded down. */
export function div38(a: bigint, b: bigint): bigint {
  return (a * ONE_38) / b
}

/**
 * a·b for an `a` with 18 decimals and a factor `b` with 38, rounded down. The lower half of a negative
 * product is truncated, as in the contracts, so the result may be one above the floor.
 */
export function floorBy38(a: bigint, b: bigint): bigint {
  const [high, low] = [a * (b / HALF), a * (b % HALF)]
  const sum = high + low / HALF
  return high >= 0n && low >= 0n ? sum / HALF : (sum + 1n) / HALF - 1n
}

/** As {@link floorBy38}, rounded up. */
export function ceilBy38(a: bigint, b: bigint): bigint {
  return -floorBy38(-a, b)
}

/**
 * √n for an n with 18 decimals: seven steps of Newton's method from a power of two, or below 1 from the
 * root of the next power of ten. They end at the root rounded down, or one above it.
 */
export function sqrtFixed(n: bigint): bigint {
  if (n <= 0n) return 0n
  let root = firstRoot(n)
  for (let step = 0; step < STEPS; step++) root = (root + (n * ONE) / root) / 2n
  return root
}

function firstRoot(n: bigint): bigint {
  if (n >= ONE) {
    const log2 = (n / ONE).toString(2).length - 1
    return ONE << BigInt(log2 >> 1)
  }
  if (n > ONE / 10n) return n
  let next = 10n
  while (next < n) next *= 10n
  return sqrtDown(next * ONE)
}

function outward(product: bigint, divisor: bigint): bigint {
  if (product === 0n) return 0n
  return product > 0n ? (product - 1n) / divisor + 1n : (product + 1n) / divisor - 1n
}
