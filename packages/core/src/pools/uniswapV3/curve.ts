import { concentratedCurve, measureConcentrated } from '../concentratedCurve.js'
import type { Curve, Direction, Measures } from '../family.js'
import { feePpmOf } from './fee.js'
import type { UniswapV3Pool } from './pool.js'
import { TICK_GAS, WORD_GAS } from './swap.js'

// A tick is a factor of 1.0001 in price.
const LN_TICK = Math.log(1.0001)

/**
 * The pool as constant-product pieces between initialised ticks, from the current price outwards.
 */
export function toCurve(pool: UniswapV3Pool, direction: Direction): Curve {
  return concentratedCurve(pool, direction, {
    feePpm: feePpmOf(pool),
    tickGas: TICK_GAS,
    moveGas: moveGasOf(pool),
  })
}

/** The spot price, and the trade that lowers it by the part `fall`. */
export function measure(
  pool: UniswapV3Pool,
  direction: Direction,
  fall: number,
): Measures | undefined {
  return measureConcentrated(pool, direction, {
    ...{ feePpm: feePpmOf(pool), tickGas: TICK_GAS, moveGas: moveGasOf(pool), fall },
  })
}

/** A pool searches one word of 256 possible ticks after the other. */
function moveGasOf({ tickSpacing }: UniswapV3Pool): number {
  return WORD_GAS / (256 * tickSpacing * LN_TICK)
}

/** The fee of a swap in this state, the same for every amount. */
export function feeRate(pool: UniswapV3Pool): number {
  return feePpmOf(pool) / 1e6
}
