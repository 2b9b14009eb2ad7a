import type { Curve, Direction } from '../family.js'
import type { WrapPool } from './pool.js'

/** h(x) = x without a limit: the supply of the native token is far below 2^128 wei. */
export function toCurve(_pool: WrapPool, _direction: Direction): Curve {
  const limit = 2 ** 128
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
