import type { Curve, Direction } from '../family.js'
import type { UniswapV2Pool } from './pool.js'

const MAX_UINT112 = 2 ** 112

/**
 * The pair as a gain function. Symbols: γ = 1 − fee, X and Y the reserves in and out, x the input.
 *
 *   h(x)  = γ·x·Y / (X + γ·x)
 *   h′(x) = γ·X·Y / (X + γ·x)²
 *   x(p)  = (√(γ·X·Y / p) − X) / γ
 */
export function toCurve(pool: UniswapV2Pool, direction: Direction): Curve {
  const X = Number(pool.reserves[direction.in as 0 | 1])
  const Y = Number(pool.reserves[direction.out as 0 | 1])
  const γ = 1 - pool.feePpm / 1e6
  const limit = X > 0 && Y > 0 ? Math.max(0, MAX_UINT112 - X) : 0
  return {
    out: (x) => (limit === 0 || x <= 0 ? 0 : (γ * x * Y) / (X + γ * x)),
    price: (x) => (limit === 0 ? 0 : (γ * X * Y) / (X + γ * x) ** 2),
    inputAt: (p) => {
      if (limit === 0) return 0
      if (p <= 0) return limit
      return Math.min(limit, Math.max(0, (Math.sqrt((γ * X * Y) / p) - X) / γ))
    },
    limit,
  }
}
