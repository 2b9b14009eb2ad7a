import type { Curve, Direction } from '../family.js'
import { constantProductCurve } from '../pairCurve.js'
import type { UniswapV2Pool } from './pool.js'

/** The pair as a gain function: one constant-product piece. */
export function toCurve(pool: UniswapV2Pool, direction: Direction): Curve {
  return constantProductCurve({
    reserveIn: Number(pool.reserves[direction.in as 0 | 1]),
    reserveOut: Number(pool.reserves[direction.out as 0 | 1]),
    γ: 1 - feeRate(pool),
    maxReserve: 2 ** 112,
  })
}

/** The fee as part of the input, the same for every amount. */
export function feeRate(pool: UniswapV2Pool): number {
  return pool.feePpm / 1e6
}
