import { TWO_256 } from './fullMath.js'

const E18 = 10n ** 18n
// The cube root is that of the number times 10³⁶, 10¹⁸ or 1: as much as fits in 256 bits.
const MAX_CUBE = TWO_256 / E18 ** 2n

/**
 * The cube root with 18 decimals of a number with 18 decimals, by seven steps of Newton's method from a
 * power of two, corrected by a table for what three does not divide.
 */
export function cbrtDown(x: bigint): bigint {
  const [scale, unscale] =
    x >= MAX_CUBE * E18 ? [1n, 10n ** 12n] : x >= MAX_CUBE ? [E18, 10n ** 6n] : [E18 ** 2n, 1n]
  const cube = x * scale
  if (cube === 0n) return 0n
  const log2 = BigInt(cube.toString(2).length - 1)
  const rest = log2 % 3n
  let root = ((1n << (log2 / 3n)) * 1260n ** rest) / 1000n ** rest
  for (let step = 0; step < 7; step++) root = (2n * root + cube / (root * root)) / 3n
  return root * unscale
}
