/**
 * One pair of coins of a StableSwap pool over floats, the others fixed. All amounts are in units of
 * the invariant D, so D = 1.
 *
 *   y² + y·(s + x + α − 1) = K/x        s: sum of the other coins, α = 1/Ann, K = α / (nⁿ·Π others)
 *
 * The output for an input of a, from the difference of this equation at both ends, is
 *
 *   d = a·(y₀ + K/(x·x₀)) / (y + y₀ + s + α − 1 + x)
 *
 * in which no nearly equal numbers are subtracted.
 */
export type StableSwapPair = {
  /** Balances of the coin in and the coin out before the swap. */
  readonly x: number
  readonly y: number
  readonly s: number
  readonly α: number
  readonly K: number
}

/** A pair of the coins `i` and `j` of balances `xp`, which are in the unit of `D`; `ann` is A·n. */
export function pairOf(
  xp: readonly number[],
  {
    i,
    j,
    D,
    ann,
  }: { readonly i: number; readonly j: number; readonly D: number; readonly ann: number },
): StableSwapPair {
  const n = xp.length
  const others = xp.filter((_, k) => k !== i && k !== j).map((balance) => balance / D)
  const product = others.reduce((all, balance) => all * balance, 1)
  const α = 1 / ann
  return {
    ...{ x: xp[i]! / D, y: xp[j]! / D, α },
    s: others.reduce((sum, balance) => sum + balance, 0),
    K: α / (n ** n * product),
  }
}

/** Output for an input of a. */
export function pairOut(pair: StableSwapPair, a: number): number {
  const { x: x0, y: y0, s, α, K } = pair
  const x = x0 + a
  return (a * (y0 + K / (x * x0))) / (pairBalance(pair, x) + y0 + (s + α - 1) + x)
}

/** Marginal price after an input of a. */
export function pairPrice(pair: StableSwapPair, a: number): number {
  const x = pair.x + a
  const y = pairBalance(pair, x)
  return (y + pair.K / (x * x)) / (2 * y + linearOf(pair, x))
}

/** Returns the rise of the output per ε if D is larger by a part ε of itself. */
export function pairSensitivity(pair: StableSwapPair, n: number): number {
  const { x, α, K } = pair
  const y = pairBalance(pair, x)
  return (y * (1 - α) + ((n + 1) * K) / x) / (2 * y + linearOf(pair, x))
}

/** The balance of the coin out at a balance x of the coin in. */
export function pairBalance(pair: StableSwapPair, x: number): number {
  const b = linearOf(pair, x)
  const root = Math.sqrt(b * b + (4 * pair.K) / x)
  // The form without cancellation.
  return b > 0 ? (2 * pair.K) / x / (b + root) : (root - b) / 2
}

function linearOf({ s, α }: StableSwapPair, x: number): number {
  return s + x + α - 1
}
