import { ticksCrossed } from '../../math/concentrated.js'
import type { Direction } from '../family.js'
import { applySwap } from './exact.js'
import type { AlgebraV1Pool } from './pool.js'

export { swapLayout } from '../concentratedSwap.js'

/**
 * Gas limit of crossing an initialised tick for the first time: it uses 56,600, of which 44,200 are
 * writes of two fee growths that were zero, and every call on the way to the pool keeps 1/64.
 */
export const TICK_GAS = 59_000

/** Gas of entering a row of the table of ticks. */
const ROW_GAS = 7_000

/**
 * Gas limit of one hop: a base with the write of a timepoint and a fee, the oracle reads of the
 * first tick crossed, and a charge per initialised tick crossed and per row entered. Measured
 * through the executor; as in V3 every crossing is charged as the first of its tick.
 */
export function estimateGas(pool: AlgebraV1Pool, direction: Direction, amountIn: bigint): number {
  const end = applySwap(pool, direction, amountIn).tick
  const crossed = ticksCrossed(pool.ticks, pool.tick, end)
  const crossing = crossed === 0 ? 0 : 25_000 + TICK_GAS * crossed
  const rowOf = (tick: number) => Math.floor(tick / pool.ticksPerBit / 256)
  return 210_000 + crossing + ROW_GAS * Math.abs(rowOf(end) - rowOf(pool.tick)) + searchGas(pool)
}

// Measured for up to about twenty timepoints a day; beyond, each step of the two binary searches
// counts as a timepoint (two slots) read for the first time.
function searchGas({ oracle }: AlgebraV1Pool): number {
  const bisections = Math.ceil(Math.log2(oracle.timepoints.length))
  return 2 * 2 * 2_100 * Math.max(0, bisections - 5)
}
