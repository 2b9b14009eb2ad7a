import { TWO_256 } from './fullMath.js'

/**
 * The StableSwap invariant of n coins in integers, rounded as Curve's contracts round.
 *
 *   Ann·S + D = Ann·D + D^(n+1) / (nⁿ·Π x)        S = Σ x,  Ann = A·n (A already holds n^(n−1))
 *
 * `xp` are balances in one common unit. Every product that the contracts check must fit in a
 * uint256; where one does not, or Newton's method does not end in 255 steps, the contract reverts
 * and these functions return `undefined`.
 */
export type StableSwapForm = {
  /** A, times `precision`. */
  readonly amp: bigint
  /** 100, or 1 for the first contracts. */
  readonly precision: bigint
  /** The contract's rounding of D^(n+1) / (nⁿ·Π x). */
  readonly rounding: InvariantRounding
}

/**
 * The order of the divisions: `once` divides by each x and last by nⁿ, `eachCoin` by x·n, and
 * `eachCoinPlusOne` by x·n + 1.
 */
export type InvariantRounding = 'once' | 'eachCoin' | 'eachCoinPlusOne'

const STEPS = 255

/** The invariant D of the balances; 0 if all of them are 0. */
export function invariantOf(xp: readonly bigint[], form: StableSwapForm): bigint | undefined {
  const n = BigInt(xp.length)
  const { amp, precision } = form
  const sum = xp.reduce((total, x) => total + x, 0n)
  if (sum === 0n) return 0n
  if (sum >= TWO_256 || xp.some((x) => x === 0n)) return undefined
  const ann = amp * n
  const weighted = ann * sum
  let D = sum
  for (let step = 0; step < STEPS; step++) {
    const product = productOf(xp, D, form.rounding)
    if (product === undefined) return undefined
    const before = D
    const numerator = (weighted / precision + product * n) * D
    const denominator = ((ann - precision) * D) / precision + (n + 1n) * product
    if (weighted >= TWO_256 || numerator >= TWO_256 || denominator >= TWO_256) return undefined
    D = numerator / denominator
    if (distance(D, before) <= 1n) return D
  }
  return undefined
}

/** D^(n+1) / (nⁿ·Π x), floored in each step. */
function productOf(
  xp: readonly bigint[],
  D: bigint,
  rounding: InvariantRounding,
): bigint | undefined {
  const n = BigInt(xp.length)
  let product = D
  for (const x of xp) {
    const dividend = product * D
    if (dividend >= TWO_256) return undefined
    const perCoin = rounding === 'eachCoinPlusOne' ? x * n + 1n : x * n
    product = dividend / (rounding === 'once' ? x : perCoin)
  }
  return rounding === 'once' ? product / n ** n : product
}

/**
 * The balance of coin `j` if coin `i` has the balance `x` and D stays the same, by Newton's method
 * for y² + y·(S′ + D/Ann − D) = D^(n+1) / (nⁿ·Π′·Ann), from y = D.
 */
export function balanceAfter(
  xp: readonly bigint[],
  change: { readonly i: number; readonly j: number; readonly x: bigint; readonly D: bigint },
  { amp, precision }: StableSwapForm,
): bigint | undefined {
  const { i, j, x, D } = change
  const n = BigInt(xp.length)
  const ann = amp * n
  let sum = 0n
  let c = D
  for (let k = 0; k < xp.length; k++) {
    if (k === j) continue
    const balance = k === i ? x : xp[k]!
    sum += balance
    const dividend = c * D
    if (dividend >= TWO_256 || balance === 0n || balance * n >= TWO_256) return undefined
    c = dividend / (balance * n)
  }
  const last = c * D * precision
  if (last >= TWO_256) return undefined
  c = last / (ann * n)
  const b = sum + (D * precision) / ann
  let y = D
  for (let step = 0; step < STEPS; step++) {
    const before = y
    const numerator = y * y + c
    const denominator = 2n * y + b - D
    if (numerator >= TWO_256 || 2n * y + b >= TWO_256 || denominator <= 0n) return undefined
    y = numerator / denominator
    if (distance(y, before) <= 1n) return y
  }
  return undefined
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a
}
