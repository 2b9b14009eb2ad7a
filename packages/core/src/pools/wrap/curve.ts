import type { Curve, Direction } from '../family.js'
import type { WrapPool } from './pool.js'

/** h(x) = x up to the last float below 2²⁵⁶, where the integers end. */
export function toCurve(_pool: WrapPool, _direction: Direction): Curve {
  const limit = 2 ** 256 * (1 - 2 ** -53)
  return {
    out: (x) => Math.max(0, Math.min(x, limit)),
    price: () => 1,
    inputAt: (p) => (p < 1 ? limit : 0),
    limit,
  }
}

/** Wrapping has no fee. */
export function feeRate(): number {
  return 0
}
