import { ticksCrossed } from '../../math/concentrated.js'
import type { Direction } from '../family.js'
import { applySwap } from './exact.js'
import type { AlgebraIntegralPool } from './pool.js'

export { encodeSwap, swapLayout } from '../uniswapV3/swap.js'

/**
 * Gas limit that one hop adds: a base, what the plugin's hooks take, and a charge per initialised
 * tick crossed. Measured on the devnet.
 */
export function estimateGas(
  pool: AlgebraIntegralPool,
  direction: Direction,
  amountIn: bigint,
): number {
  const end = applySwap(pool, direction, amountIn).tick
  const crossed = ticksCrossed(pool.ticks, pool.tick, end)
  return 100_000 + (pool.adaptiveFee ? 140_000 : 0) + 60_000 * crossed
}
