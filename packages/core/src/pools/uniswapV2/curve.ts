import type { Curve, Direction, Measures } from '../family.js'
import { constantProductCurve, measureConstantProduct } from '../pairCurve.js'
import type { UniswapV2Pool } from './pool.js'

/** The pair as a gain function: one constant-product piece. */
export function toCurve(pool: UniswapV2Pool, direction: Direction): Curve {
  return constantProductCurve(inFloats(pool, direction))
}

/** The pair's spot price, and the trade that lowers it by the part `fall`. */
export function measure(pool: UniswapV2Pool, direction: Direction, fall: number): Measures {
  return measureConstantProduct(inFloats(pool, direction), fall)
}

function inFloats(pool: UniswapV2Pool, direction: Direction) {
  return {
    reserveIn: Number(pool.reserves[direction.in as 0 | 1]),
    reserveOut: Number(pool.reserves[direction.out as 0 | 1]),
    γ: 1 - feeRate(pool),
    maxReserve: 2 ** 112,
  }
}

/** The fee as part of the input, the same for every amount. */
export function feeRate(pool: UniswapV2Pool): number {
  return pool.feePpm / 1e6
}
