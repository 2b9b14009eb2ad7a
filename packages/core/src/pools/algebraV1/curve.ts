import { concentratedCurve, measureConcentrated } from '../concentratedCurve.js'
import type { Curve, Direction, Measures } from '../family.js'
import { updateVolumeFee } from './fee.js'
import type { AlgebraV1Pool } from './pool.js'
import { TICK_GAS } from './swap.js'

/**
 * The pool as constant-product pieces between initialised ticks, from the current price outwards.
 */
export function toCurve(pool: AlgebraV1Pool, direction: Direction): Curve {
  return concentratedCurve(pool, direction, {
    feePpm: updateVolumeFee(pool).feePpm,
    tickGas: TICK_GAS,
  })
}

/** The spot price, and the trade that lowers it by the part `fall`. */
export function measure(
  pool: AlgebraV1Pool,
  direction: Direction,
  fall: number,
): Measures | undefined {
  return measureConcentrated(pool, direction, {
    feePpm: updateVolumeFee(pool).feePpm,
    tickGas: TICK_GAS,
    fall,
  })
}

/** The fee of the next swap as part of the input. */
export function feeRate(pool: AlgebraV1Pool): number {
  return updateVolumeFee(pool).feePpm / 1e6
}
