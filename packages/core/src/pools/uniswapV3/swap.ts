import { ticksCrossed } from '../../math/concentrated.js'
import { wordOf } from '../concentratedCurve.js'
import type { Direction } from '../family.js'
import { applySwap } from './exact.js'
import type { UniswapV3Pool } from './pool.js'

export { swapLayout } from '../concentratedSwap.js'

/** Gas of crossing an initialised tick for the first time. */
export const TICK_GAS = 66_000

/** Gas of entering a word of the bitmap of ticks: 7,130 near tick 0, and 8,160 near the ends of the prices. */
export const WORD_GAS = 8_200

/**
 * Gas limit of one hop: a base, and a charge per initialised tick crossed and per bitmap word
 * entered. The first crossing of a tick writes three slots that were zero (once both fees have
 * grown); a later one uses 24,000. The state does not show which it is, so every crossing is
 * charged as the first. The first swap of a pool uses 20,000 more, which the state does not show
 * either. Measured on the devnet. A fork may use more (`extraGas`), and a dynamic fee adds the
 * reads of its module.
 */
export function estimateGas(pool: UniswapV3Pool, direction: Direction, amountIn: bigint): number {
  const end = applySwap(pool, direction, amountIn).tick
  const crossed = ticksCrossed(pool.ticks, pool.tick, end)
  const entered = Math.abs(wordOf(end, pool.tickSpacing) - wordOf(pool.tick, pool.tickSpacing))
  const crossing = TICK_GAS * crossed + WORD_GAS * entered
  return 93_000 + crossing + (pool.extraGas ?? 0) + feeGas(pool)
}

// Counted, not measured: four contracts and about ten slots read for the first time in the
// transaction, and two observations per step of a binary search in the ring.
function feeGas({ dynamicFee }: UniswapV3Pool): number {
  if (!dynamicFee) return 0
  return 35_000 + 2 * 2_100 * Math.ceil(Math.log2(dynamicFee.oracle.cardinality + 1))
}
