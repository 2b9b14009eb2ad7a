/**
 * One pair of coins of a CryptoSwap pool over floats, the others fixed. All balances are in units of the
 * invariant D, so D = 1. With S the sum of the balances, K₀ = nⁿ·Π x and a = A·nⁿ, the invariant is
 *
 *   f(y) = a·γ²·(S − 1) / (γ + 1 − K₀)² + 1 − 1/K₀ = 0
 *
 * f rises in y between the balance at which S = 1 and the one at which K₀ = 1, and has its root there.
 */
export type CryptoSwapPair = {
  /** Balance of the coin in before the swap. */
  readonly x: number
  /** Sum of the other coins, and nⁿ times their product. */
  readonly s: number
  readonly q: number
  /** A times nⁿ. */
  readonly a: number
  readonly γ: number
}

const STEPS = 200

/** The balance of the coin out at a balance x of the coin in, by Newton's method within a bracket. */
export function cryptoPairBalance(pair: CryptoSwapPair, x: number): number {
  let low = Math.max(0, 1 - pair.s - x)
  let high = 1 / (pair.q * x)
  let y = low > 0 ? low : high / 2
  for (let step = 0; step < STEPS; step++) {
    const { value, slopeOut } = slopesAt(pair, x, y)
    if (value === 0) return y
    if (value > 0) high = Math.min(high, y)
    else low = Math.max(low, y)
    const next = y - value / slopeOut
    const inside = next > low && next < high ? next : (low + high) / 2
    if (Math.abs(inside - y) <= Number.EPSILON * y) return inside
    y = inside
  }
  return y
}

/** Marginal price −dy/dx at balances x of the coin in and y of the coin out. */
export function cryptoPairPrice(pair: CryptoSwapPair, x: number, y: number): number {
  const { slopeIn, slopeOut } = slopesAt(pair, x, y)
  return slopeIn / slopeOut
}

/** f and its derivatives by the balances of the coin in and the coin out. */
function slopesAt({ s, q, a, γ }: CryptoSwapPair, x: number, y: number) {
  const K0 = q * x * y
  const u = γ + 1 - K0
  const weight = (a * γ * γ) / (u * u)
  const excess = s + x + y - 1
  const bend = (2 * weight * excess * K0) / u + 1 / K0
  return {
    value: weight * excess + 1 - 1 / K0,
    slopeIn: weight + bend / x,
    slopeOut: weight + bend / y,
  }
}
