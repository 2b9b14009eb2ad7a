import { concentratedCurve, measureConcentrated } from '../concentratedCurve.js'
import type { Curve, Direction, Measures } from '../family.js'
import { mostIntoReserve } from './exact.js'
import { beforeSwap, swapFeePpm } from './fee.js'
import type { AlgebraIntegralPool } from './pool.js'
import { TICK_GAS } from './swap.js'

/**
 * The pool as constant-product pieces between initialised ticks, from the current price outwards.
 */
export function toCurve(pool: AlgebraIntegralPool, direction: Direction): Curve {
  return concentratedCurve(pool, direction, {
    feePpm: nextFeePpm(pool, direction),
    tickGas: TICK_GAS,
    mostIn: () => Number(mostIntoReserve(pool, direction)),
  })
}

/** The spot price, and the trade that lowers it by the part `fall`. */
export function measure(
  pool: AlgebraIntegralPool,
  direction: Direction,
  fall: number,
): Measures | undefined {
  return measureConcentrated(pool, direction, {
    feePpm: nextFeePpm(pool, direction),
    tickGas: TICK_GAS,
    fall,
  })
}

/** The fee of the next swap as part of the input. */
export function feeRate(pool: AlgebraIntegralPool, direction: Direction): number {
  return nextFeePpm(pool, direction) / 1e6
}

const nextFeePpm = (pool: AlgebraIntegralPool, direction: Direction) =>
  swapFeePpm(beforeSwap(pool), direction.in === 0)
