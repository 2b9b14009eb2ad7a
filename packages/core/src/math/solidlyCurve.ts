/**
 * The invariant k = x³y + xy³ over floats, in closed form without iteration.
 *
 * Symbols: X, Y the reserves before, x = X + input after, y the reserve out after, in tokens (not
 * wei); t = y/x; q the marginal price −dy/dx.
 *
 *   q = (3t + t³) / (1 + 3t²) = tanh(3·atanh t)
 *   y = (2x/√3) · sinh( asinh( (3√3/2)·k/x⁴ ) / 3 )         the root of y³ + x²y = k/x
 *   x = ⁴√( k / (t + t³) )
 */
export type StableReserves = { readonly X: number; readonly Y: number }

/** Output for an input of d. */
export function stableOut({ X, Y }: StableReserves, d: number): number {
  const x = X + d
  const y = reserveAfter({ X, Y }, x)
  // k(x, Y) − k(X, Y), divided by the change of k per unit of output. All terms are positive, so
  // there is no cancellation.
  const rise = d * Y * (x * x + x * X + X * X + Y * Y)
  return rise / (x * (x * x + Y * Y + Y * y + y * y))
}

/** Marginal price after an input of d. */
export function stablePrice({ X, Y }: StableReserves, d: number): number {
  const x = X + d
  const t = reserveAfter({ X, Y }, x) / x
  return (t * (3 + t * t)) / (1 + 3 * t * t)
}

/** The input at which the marginal price has fallen to `price`; not below 0. */
export function stableInputAt({ X, Y }: StableReserves, price: number): number {
  if (price >= stablePrice({ X, Y }, 0)) return 0
  const t = price < 1 ? Math.tanh(Math.atanh(price) / 3) : 1 / Math.tanh(Math.atanh(1 / price) / 3)
  const x = Math.sqrt(Math.sqrt((X * Y * (X * X + Y * Y)) / (t + t ** 3)))
  return Math.max(0, x - X)
}

function reserveAfter({ X, Y }: StableReserves, x: number): number {
  return rootBeside(x, (((X / x) * Y) / x) * ((X / x) ** 2 + (Y / x) ** 2))
}

/** The root y of y³ + x²y = k/x, with k as a multiple of x⁴. */
function rootBeside(x: number, multiple: number): number {
  return ((2 * x) / Math.sqrt(3)) * Math.sinh(Math.asinh(((3 * Math.sqrt(3)) / 2) * multiple) / 3)
}

/** The reserve at which the invariant is k, beside a reserve of Y. */
export function reserveAt(Y: number, k: number): number {
  return rootBeside(Y, k / Y ** 4)
}

/** The reserve of each side at the point where both are equal. */
export function balanceOf({ X, Y }: StableReserves): number {
  return Math.sqrt(Math.sqrt((X * Y * (X * X + Y * Y)) / 2))
}
