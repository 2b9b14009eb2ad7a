import { ticksCrossed } from '../../math/concentrated.js'
import type { Direction } from '../family.js'
import { applySwap } from './exact.js'
import type { AlgebraIntegralPool } from './pool.js'

export { swapLayout } from '../concentratedSwap.js'

/**
 * Gas limit of crossing an initialised tick for the first time: it uses 50,300, of which 44,200 are
 * writes of two fee growths that were zero, and every call on the way to the pool keeps 1/64.
 */
export const TICK_GAS = 52_000

/**
 * Gas limit of one hop: a base, a charge per initialised tick crossed, and the plugin's hook.
 * Measured through the executor; as in V3 every crossing is charged as the first of its tick.
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

// One write of a timepoint and binary searches among those of the last day. Measured for up to about
// thirty timepoints; beyond, each search step counts as a slot read for the first time. A sliding fee
// searches once, and its state does not say among how many.
function feeGas({ adaptiveFee, slidingFee }: AlgebraIntegralPool): number {
  if (slidingFee) return SLIDING_GAS
  if (!adaptiveFee) return 0
  const bisections = Math.ceil(Math.log2(adaptiveFee.oracle.timepoints.length))
  return 60_000 + 2 * 2_100 * Math.max(0, bisections - 5)
}

/** Hook, timepoint, factors, and a search among all slots of the ring buffer. */
const SLIDING_GAS = 100_000
