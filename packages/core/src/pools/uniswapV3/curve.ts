import { concentratedCurve, measureConcentrated, wordsAhead } from '../concentratedCurve.js'
import type { Curve, Direction, Measures } from '../family.js'
import { feePpmOf } from './fee.js'
import type { UniswapV3Pool } from './pool.js'
import { TICK_GAS, WORD_GAS } from './swap.js'

/**
 * The pool as constant-product pieces between initialised ticks, from the current price outwards.
 */
export function toCurve(pool: UniswapV3Pool, direction: Direction): Curve {
  return concentratedCurve(pool, direction, {
    feePpm: feePpmOf(pool),
    tickGas: TICK_GAS,
    intervals: wordsAhead(pool, direction, WORD_GAS),
  })
}

/** The spot price, and the trade that lowers it by the part `fall`. */
export function measure(
  pool: UniswapV3Pool,
  direction: Direction,
  fall: number,
): Measures | undefined {
  return measureConcentrated(pool, direction, {
    ...{
      feePpm: feePpmOf(pool),
      tickGas: TICK_GAS,
      intervals: wordsAhead(pool, direction, WORD_GAS),
      fall,
    },
  })
}

/** The fee of a swap in this state, the same for every amount. */
export function feeRate(pool: UniswapV3Pool): number {
  return feePpmOf(pool) / 1e6
}
