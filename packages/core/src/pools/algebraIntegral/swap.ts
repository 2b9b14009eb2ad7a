import { ticksCrossed } from '../../math/concentrated.js'
import type { Direction } from '../family.js'
import { applySwap } from './exact.js'
import type { AlgebraIntegralPool } from './pool.js'

export { encodeSwap, swapLayout } from '../uniswapV3/swap.js'

/** What crossing an initialised tick takes. */
export const TICK_GAS = 50_000

/**
 * Gas limit that one hop adds: a base, a charge per initialised tick crossed, and what the plugin's
 * hook takes. Measured through the executor; as in V3 every crossing is charged as a tick's first.
 */
export function estimateGas(
  pool: AlgebraIntegralPool,
  direction: Direction,
  amountIn: bigint,
): number {
  const end = applySwap(pool, direction, amountIn).tick
  const crossed = ticksCrossed(pool.ticks, pool.tick, end)
  return 112_000 + TICK_GAS * crossed + feeGas(pool)
}

// A timepoint written, and two searches in those of the last day. Measured up to some thirty of
// them; beyond, each bisection is counted as a slot read for the first time.
function feeGas({ adaptiveFee }: AlgebraIntegralPool): number {
  if (!adaptiveFee) return 0
  const bisections = Math.ceil(Math.log2(adaptiveFee.oracle.timepoints.length))
  return 60_000 + 2 * 2_100 * Math.max(0, bisections - 5)
}
