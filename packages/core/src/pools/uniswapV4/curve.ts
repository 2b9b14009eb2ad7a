import { inputForOf } from '../../math/pieces.js'
import { concentratedCurve, measureConcentrated } from '../concentratedCurve.js'
import type { Curve, Direction, Measures } from '../family.js'
import { swapFeePpm } from './fee.js'
import type { UniswapV4Pool } from './pool.js'
import { TICK_GAS, WORD_GAS } from './swap.js'

// A tick is a factor of 1.0001 in price.
const LN_TICK = Math.log(1.0001)
const PPM = 1_000_000
// The manager refuses larger amounts of either token. The curve ends a billionth before it, because
// floats place the input for this output less exactly.
const MOST = 2 ** 127 * (1 - 1e-9)

/**
 * The pool as constant-product pieces between initialised ticks, from the current price outwards.
 */
export function toCurve(pool: UniswapV4Pool, direction: Direction): Curve {
  const feePpm = swapFeePpm(pool, direction.in === 0)
  // A fee of the whole input leaves nothing to sell.
  const sold = feePpm < PPM ? pool : { ...pool, liquidity: 0n, ticks: [] }
  return concentratedCurve(sold, direction, {
    feePpm: Math.min(feePpm, PPM - 1),
    tickGas: TICK_GAS,
    moveGas: moveGasOf(pool),
    mostIn: (pieces) => Math.min(MOST, inputForOf(pieces, MOST)),
  })
}

/** The spot price, and the trade that lowers it by the part `fall`. */
export function measure(
  pool: UniswapV4Pool,
  direction: Direction,
  fall: number,
): Measures | undefined {
  const feePpm = swapFeePpm(pool, direction.in === 0)
  if (feePpm >= PPM) return undefined
  return measureConcentrated(pool, direction, {
    ...{ feePpm, tickGas: TICK_GAS, moveGas: moveGasOf(pool), fall },
  })
}

/** The manager searches one word of 256 possible ticks after the other. */
function moveGasOf({ tickSpacing }: UniswapV4Pool): number {
  return WORD_GAS / (256 * tickSpacing * LN_TICK)
}

/** The fee of a swap in this direction, the same for every amount. */
export function feeRate(pool: UniswapV4Pool, direction: Direction): number {
  return swapFeePpm(pool, direction.in === 0) / PPM
}
