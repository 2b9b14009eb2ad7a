/** 2^256: the first integer beyond uint256. */
export const TWO_256 = 1n << 256n

/** floor(a · b / denominator), exact for a · b of any size. */
export function mulDivDown(a: bigint, b: bigint, denominator: bigint): bigint {
  return (a * b) / denominator
}

/** ceil(a · b / denominator), exact for a · b of any size. */
export function mulDivUp(a: bigint, b: bigint, denominator: bigint): bigint {
  return divUp(a * b, denominator)
}

/** ceil(a / b) for non-negative a and positive b. */
export function divUp(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b
}

/** floor(√n) by Newton's method from above. */
export function sqrtDown(n: bigint): bigint {
  if (n < 2n) return n
  let x = 1n << BigInt((n.toString(2).length + 1) >> 1)
  for (;;) {
    const y = (x + n / x) >> 1n
    if (y >= x) return x
    x = y
  }
}
