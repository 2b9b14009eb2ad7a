import { inputForOf } from '../../math/pieces.js'
import { concentratedCurve, measureConcentrated, wordsAhead } from '../concentratedCurve.js'
import type { Curve, Direction, Measures } from '../family.js'
import { swapFeePpm } from './fee.js'
import type { UniswapV4Pool } from './pool.js'
import { TICK_GAS, WORD_GAS } from './swap.js'

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
    intervals: wordsAhead(pool, direction, WORD_GAS),
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
    ...{ feePpm, tickGas: TICK_GAS, intervals: wordsAhead(pool, direction, WORD_GAS), fall },
  })
}

/** The fee of a swap in this direction, the same for every amount. */
export function feeRate(pool: UniswapV4Pool, direction: Direction): number {
  return swapFeePpm(pool, direction.in === 0) / PPM
}
