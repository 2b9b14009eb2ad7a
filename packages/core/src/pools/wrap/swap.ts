import type { Direction, SwapLayout } from '../family.js'
import type { WrapPool } from './pool.js'

/** None: programs contain no wrap. */
export const swapLayout: SwapLayout | undefined = undefined

/** Gas limit that wrapping or unwrapping adds to a swap. Measured on the devnet. */
export function estimateGas(_pool: WrapPool, direction: Direction, _amountIn: bigint): number {
  return direction.in === 0 ? 25_000 : 33_000
}
