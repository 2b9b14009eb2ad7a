import { boundsOf, type CryptoSwapVersion, partBounds, within } from './cryptoSwapBounds.js'
import { cbrtDown } from './cubeRoot.js'
import { sqrtDown, TWO_256 } from './fullMath.js'

/**
 * The CryptoSwap invariant of two or three coins in integers, rounded as Curve's contracts round.
 *
 *   K·D^(n−1)·S + Π x = K·Dⁿ + (D/n)ⁿ        K = A·K₀·γ² / (γ + 1 − K₀)²,  K₀ = nⁿ·Π x / Dⁿ
 *
 * `x` are balances in one common unit of 18 decimals. Where a contract reverts, because a value is out
 * of its bounds or a method does not converge, these functions return `undefined`.
 */
export type CryptoSwapForm = {
  /** A times nⁿ, times 10⁴. */
  readonly A: bigint
  /** γ with 18 decimals. */
  readonly gamma: bigint
  readonly version: CryptoSwapVersion
}

/** A balance of the coin out, and K₀ with 18 decimals; K₀ is 0 if the method did not find it. */
export type CryptoSwapBalance = { readonly y: bigint; readonly K0: bigint }

const E18 = 10n ** 18n
const A_PRECISION = 10_000n
const STEPS = 255
/** Bounds of D, with 18 decimals; a pool below the least takes no swap. */
export const MIN_D = 10n ** 17n
const MAX_D = 10n ** 33n

/**
 * D of the balances by Newton's method, from K₀ if it is known, or else from the geometric mean. `newton_D`
 * of Curve's mathematics.
 */
export function cryptoInvariantOf(
  x: readonly bigint[],
  form: CryptoSwapForm,
  K0 = 0n,
): bigint | undefined {
  const sorted = x.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0))
  if (!areComputable(sorted)) return undefined
  const sum = sorted.reduce((total, value) => total + value, 0n)
  let D = firstInvariant(sorted, sum, K0)
  for (let step = 0; step < STEPS; step++) {
    if (D === 0n) return undefined
    const before = D
    const next = stepOf(sorted, sum, D, form)
    if (next === undefined) return undefined
    D = next
    const tolerated = D > 10n ** 16n ? D : 10n ** 16n
    if (distance(D, before) * 10n ** 14n < tolerated) {
      const { settled } = partBounds(x.length, form.version, form.gamma)
      const isInside = (value: bigint) => within((value * E18) / D, settled)
      return D > 0n && sorted.every(isInside) ? D : undefined
    }
  }
  return undefined
}

function areComputable(sorted: readonly bigint[]): boolean {
  const [first, second] = [sorted[0]!, sorted[1]!]
  if (first === 0n) return false
  if (sorted.length === 3) return first < (TWO_256 / E18) * 27n
  return within(first, { least: 10n ** 9n, most: MAX_D }) && (second * E18) / first >= 10n ** 14n
}

/** Returns the start of Newton's method for D. */
function firstInvariant(sorted: readonly bigint[], sum: bigint, K0: bigint): bigint {
  const [a, b, c] = [sorted[0]!, sorted[1]!, sorted[2]]
  if (c === undefined) {
    if (K0 === 0n) return 2n * sqrtDown(a * b)
    const D = sqrtDown(((4n * a * b) / K0) * E18)
    return sum < D ? sum : D
  }
  if (K0 === 0n) return 3n * cbrtDown((((a * b) / E18) * c) / E18)
  // The larger the sum, the more digits are taken off before the product, and put back after it.
  const digits = sum > 10n ** 36n ? 36n : sum > 10n ** 24n ? 24n : 18n
  const scale = 10n ** (digits - 18n)
  const cube = ((((a * b) / 10n ** digits) * c) / K0) * 27n
  return cbrtDown(digits === 36n ? cube * 10n ** 12n : digits === 24n ? cube * scale : cube)
}

/** One step of Newton's method for D. */
function stepOf(
  sorted: readonly bigint[],
  sum: bigint,
  D: bigint,
  form: CryptoSwapForm,
): bigint | undefined {
  const n = BigInt(sorted.length)
  let K0 = E18
  if (n === 2n) K0 = (((E18 * 4n * sorted[0]!) / D) * sorted[1]!) / D
  else for (const value of sorted) K0 = (K0 * value * n) / D
  if (K0 === 0n) return undefined
  const { inverse, g } = weightsOf(D, K0, form)
  const growth = (2n * E18 * n * K0) / g
  const slope = sum + (sum * growth) / E18 + (inverse * n) / K0 - (growth * D) / E18
  if (slope <= 0n) return undefined
  const plus = (D * (slope + sum)) / slope
  const pull = (D * (inverse / slope)) / E18
  const minus =
    (D * D) / slope + (E18 > K0 ? (pull * (E18 - K0)) / K0 : -((pull * (K0 - E18)) / K0))
  if (minus < 0n) return undefined
  return plus > minus ? plus - minus : (minus - plus) / 2n
}

/** |γ + 1 − K₀| + 1, and D·(γ + 1 − K₀)² / (γ²·A): terms of both of Newton's methods. */
function weightsOf(D: bigint, K0: bigint, { A, gamma }: CryptoSwapForm) {
  const g = distance(gamma + E18, K0) + 1n
  const inverse = (((((E18 * D) / gamma) * g) / gamma) * g * A_PRECISION) / A
  return { g, inverse }
}

/**
 * The balance of coin `j` for the other balances of `x` at the invariant `D`: the root of a cubic, or
 * by Newton's method where the cubic's formula has no root. `get_y` of Curve's mathematics.
 */
export function cryptoBalanceOf(
  x: readonly bigint[],
  { j, D }: { readonly j: number; readonly D: bigint },
  form: CryptoSwapForm,
): CryptoSwapBalance | undefined {
  const bounds = boundsOf(x.length, form.version)
  if (!within(form.A, bounds.A) || !within(form.gamma, bounds.gamma)) return undefined
  if (!within(D, { least: MIN_D, most: MAX_D })) return undefined
  const others = x.filter((_, k) => k !== j)
  const found = others.length === 1 ? rootOfTwo(others[0]!, D, form) : rootOfThree(others, D, form)
  if (found === undefined) return undefined
  const { y } = found
  const { found: bound } = partBounds(x.length, form.version, form.gamma)
  return y >= 0n && within((y * E18) / D, bound) ? found : undefined
}

/** Coefficients of a cubic, or of its resolvent. */
type Cubic = { readonly a: bigint; readonly b: bigint; readonly c: bigint; readonly d: bigint }

function rootOfTwo(x: bigint, D: bigint, form: CryptoSwapForm): CryptoSwapBalance | undefined {
  const { A, gamma, version } = form
  if (x === 0n) return undefined
  if (!within((E18 * 2n * x) / D, partBounds(2, version, gamma).given)) return undefined
  const weight = A * gamma * gamma
  const [E32, E4] = [10n ** 32n, 10n ** 4n]
  const cubic = {
    a: E32,
    b: (D * weight) / 400_000_000n / x - 3n * E32 - 2n * gamma * 10n ** 14n,
    c:
      3n * E32 +
      4n * gamma * 10n ** 14n +
      (gamma * gamma) / E4 +
      (((4n * weight) / 400_000_000n) * x) / D -
      (4n * weight) / 400_000_000n,
    d: -((E18 + gamma) ** 2n) / E4,
  }
  if (cubic.b === 0n) return undefined
  const first = depressed(cubic, 2)
  const size = [abs(first.delta0), abs(first.delta1), cubic.a].reduce((a, b) => (a < b ? a : b))
  const divider = dividerOf(size, 2n)
  const scaled = mapCubic(cubic, (value) => value / divider)
  const root = resolve(scaled, 2)
  if (root === 'none') return byNewton([x], D, form)
  if (root === undefined) return undefined
  const { C1, delta0 } = root
  const { a, b } = scaled
  const K0 = (E18 * C1 - E18 * b - ((E18 * b) / C1) * delta0) / (3n * a)
  return { y: (((D * D) / x) * K0) / 4n / E18, K0 }
}

function rootOfThree(
  [x1, x2]: readonly bigint[],
  D: bigint,
  form: CryptoSwapForm,
): CryptoSwapBalance | undefined {
  const { A, gamma, version } = form
  const [x, z] = [x1!, x2!]
  const { given } = partBounds(3, version, gamma)
  if (![x, z].every((value) => within((value * E18) / D, given))) return undefined
  const E36 = 10n ** 36n
  const square = gamma * gamma
  const cubic = {
    a: E36 / 27n,
    b: E36 / 9n + (2n * E18 * gamma) / 27n - (((D * D) / x) * square * A) / 729n / A_PRECISION / z,
    c:
      E36 / 9n +
      (gamma * (gamma + 4n * E18)) / 27n +
      (((square * (x + z - D)) / D) * A) / 27n / A_PRECISION,
    d: (E18 + gamma) ** 2n / 27n,
  }
  if (cubic.b === 0n) return undefined
  const size = abs((3n * cubic.a * cubic.c) / cubic.b - cubic.b)
  const divider = dividerOf(size, 4n)
  const isSmall = abs(cubic.a) > abs(cubic.b)
  const factor = isSmall ? abs(cubic.a / cubic.b) : abs(cubic.b / cubic.a)
  const scaled = mapCubic(cubic, (value) =>
    isSmall ? (value * factor) / divider : value / factor / divider,
  )
  const root = resolve(scaled, 3)
  if (root === 'none') return byNewton([x, z], D, form)
  if (root === undefined) return undefined
  const { C1, delta0 } = root
  const { a, b } = scaled
  const K0 = (b + (b * delta0) / C1 - C1) / 3n
  return { y: (((((D * D) / 27n / z) * D) / x) * K0) / a, K0: (E18 * K0) / a }
}

function mapCubic({ a, b, c, d }: Cubic, f: (value: bigint) => bigint): Cubic {
  return { a: f(a), b: f(b), c: f(c), d: f(d) }
}

/**
 * The coefficients of the depressed cubic of `n` coins: with two coins δ₁ has 3·⌊3ac/b⌋, with three ⌊9ac/b⌋.
 * Signed divisions truncate, as those of the EVM do.
 */
function depressed({ a, b, c, d }: Cubic, n: number) {
  const third = (3n * a * c) / b
  const whole = n === 2 ? 3n * third : (9n * a * c) / b
  return { delta0: third - b, delta1: whole - 2n * b - (((27n * a * a) / b) * d) / b }
}

/**
 * The divider that keeps the squares of the coefficients within 256 bits: 10² above 10²⁰, then from
 * 10²⁴ on a power of ten 18 digits below the size, in steps of 10^`step`, up to 10³⁰.
 */
function dividerOf(size: bigint, step: bigint): bigint {
  if (size <= 10n ** 20n) return 1n
  for (let digits = 48n; digits >= 24n; digits -= step) {
    if (size > 10n ** digits) return 10n ** (digits - 18n)
  }
  return 100n
}

/** Cardano's formula for the scaled cubic; `none` if its square root is not of a positive number. */
function resolve(
  cubic: Cubic,
  n: number,
): { readonly C1: bigint; readonly delta0: bigint } | 'none' | undefined {
  const { b } = cubic
  if (b === 0n) return undefined
  const { delta0, delta1 } = depressed(cubic, n)
  const square = delta1 * delta1 + ((4n * delta0 * delta0) / b) * delta0
  if (square <= 0n) return 'none'
  const root = sqrtDown(square)
  const ofB = b > 0n ? cbrtDown(b) : -cbrtDown(-b)
  const second = delta1 > 0n ? cbrtDown((delta1 + root) / 2n) : -cbrtDown((root - delta1) / 2n)
  const C1 = (((ofB * ofB) / E18) * second) / E18
  return C1 === 0n ? undefined : { C1, delta0 }
}

/** The balance by Newton's method, without K₀. `_newton_y` of Curve's mathematics. */
function byNewton(
  others: readonly bigint[],
  D: bigint,
  form: CryptoSwapForm,
): CryptoSwapBalance | undefined {
  const n = BigInt(others.length + 1)
  const sorted = others.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0))
  const sum = others.reduce((total, x) => total + x, 0n)
  const most = sorted[0]! > D ? sorted[0]! : D
  const limit = most / 10n ** 14n > 100n ? most / 10n ** 14n : 100n
  let y = n === 2n ? (D * D) / (sorted[0]! * 4n) : D / n
  if (n === 3n) for (const x of sorted.toReversed()) y = (y * D) / (x * n)
  let part = E18
  for (const x of sorted) part = (part * x * n) / D
  for (let step = 0; step < STEPS; step++) {
    const before = y
    const K0 = (part * y * n) / D
    if (K0 === 0n) return undefined
    const { g, inverse } = weightsOf(D, K0, form)
    const growth = E18 + (2n * E18 * K0) / g
    const gain = E18 * y + (sum + y) * growth + inverse
    if (gain < D * growth) {
      y = before / 2n
      continue
    }
    const slope = (gain - D * growth) / y
    if (slope === 0n) return undefined
    const plus = (gain - D * growth + E18 * D) / slope + ((inverse / slope) * E18) / K0
    const minus = inverse / slope + (E18 * (sum + before)) / slope
    y = plus < minus ? before / 2n : plus - minus
    if (y === 0n) return undefined
    if (distance(y, before) < (y / 10n ** 14n > limit ? y / 10n ** 14n : limit))
      return { y, K0: 0n }
  }
  return undefined
}

/** The geometric mean of balances, with which the contracts measure what a share is worth. */
export function cryptoMeanOf(x: readonly bigint[]): bigint {
  return x.length === 2
    ? sqrtDown(x[0]! * x[1]!)
    : cbrtDown((((x[0]! * x[1]!) / E18) * x[2]!) / E18)
}

const distance = (a: bigint, b: bigint) => abs(a - b)
function abs(value: bigint): bigint {
  return value < 0n ? -value : value
}
