import { concentratedCurve } from '../concentratedCurve.js'
import type { Curve, Direction } from '../family.js'
import { feePpmOf } from './fee.js'
import type { UniswapV3Pool } from './pool.js'

/** The pool as constant-product pieces between initialised ticks, from the current price outwards. */
export function toCurve(pool: UniswapV3Pool, direction: Direction): Curve {
  return concentratedCurve(pool, direction, feePpmOf(pool))
}
