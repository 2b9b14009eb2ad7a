// The balance of one token of a StableSwap pool from the invariant D, rounded up in each step, as in
// Balancer's contracts: an output computed from it is never above the true one.

import { divUp, TWO_256 } from './fullMath.js'

const STEPS = 255

/** Which balance is asked, and the invariant and amplification. */
export type BalanceAsked = {
  readonly o: number
  readonly D: bigint
  /** A, times `precision`. */
  readonly amp: bigint
  readonly precision: bigint
  /**
   * The order of multiplying the precision and dividing by Ann; the older contracts
   * multiply after it.
   */
  readonly order: 'multiplyFirst' | 'divideFirst'
}

/**
 * The balance of token `o` at which the others have the invariant D, by Newton's method for
 * y² + y·(S′ + D/Ann − D) = c; `undefined` if a product exceeds a uint256 or the steps do not end.
 * `StableMath.computeBalance` of Balancer V3, `_getTokenBalanceGivenInvariantAndAllOtherBalances` of V2.
 */
export function balanceUp(
  balances: readonly bigint[],
  { o, D, amp, precision, order }: BalanceAsked,
): bigint | undefined {
  const n = BigInt(balances.length)
  const ann = amp * n
  let product = balances[0]! * n
  for (const balance of balances.slice(1)) {
    const dividend = product * balance * n
    if (dividend >= TWO_256) return undefined
    product = dividend / D
  }
  const square = D * D
  const divisor = ann * product
  const [before, after] = order === 'multiplyFirst' ? [precision, 1n] : [1n, precision]
  if (square * before >= TWO_256 || divisor === 0n || divisor >= TWO_256) return undefined
  const c = divUp(square * before, divisor) * after * balances[o]!
  const others = balances.reduce((sum, balance, k) => (k === o ? sum : sum + balance), 0n)
  const b = others + ((D * before) / ann) * after
  if (square + c >= TWO_256) return undefined
  let y = divUp(square + c, D + b)
  for (let step = 0; step < STEPS; step++) {
    const last = y
    const numerator = y * y + c
    const denominator = 2n * y + b - D
    if (numerator >= TWO_256 || denominator <= 0n) return undefined
    y = divUp(numerator, denominator)
    const moved = y > last ? y - last : last - y
    if (moved <= 1n) return y
  }
  return undefined
}
