import { concatHex, type Hex, toHex } from '../../hex.js'
import type { Direction, SwapLayout } from '../family.js'
import { applySwap } from './exact.js'
import type { UniswapV3Pool } from './pool.js'

/** `02 pool zeroForOne`. */
export const swapLayout: SwapLayout = { opcode: 0x02, bytes: 22 }

/** The swap's bytes, as {@link swapLayout} says. */
export function encodeSwap(pool: UniswapV3Pool, direction: Direction): Hex {
  return concatHex(toHex(swapLayout.opcode, 1), pool.id, toHex(direction.in === 0 ? 1 : 0, 1))
}

/** Gas of one hop: a base and a charge per initialised tick crossed. Measured on the devnet. */
export function estimateGas(pool: UniswapV3Pool, direction: Direction, amountIn: bigint): number {
  const end = applySwap(pool, direction, amountIn).tick
  const [low, high] = end < pool.tick ? [end, pool.tick] : [pool.tick, end]
  const crossed = pool.ticks.filter(({ index }) => index > low && index <= high).length
  return 120_000 + 22_000 * crossed
}
