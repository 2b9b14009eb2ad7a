import type { Curve, Direction } from '../family.js'
import { constantProductCurve } from '../pairCurve.js'
import type { UniswapV2Pool } from './pool.js'

/** The pair as a gain function: one constant-product piece. */
export function toCurve(pool: UniswapV2Pool, direction: Direction): Curve {
  return constantProductCurve({
    reserveIn: Number(pool.reserves[direction.in as 0 | 1]),
    reserveOut: Number(pool.reserves[direction.out as 0 | 1]),
    γ: 1 - pool.feePpm / 1e6,
    maxReserve: 2 ** 112,
  })
}
