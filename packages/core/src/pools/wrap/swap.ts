import type { Hex } from '../../hex.js'
import type { Direction, SwapLayout } from '../family.js'
import type { WrapPool } from './pool.js'

/** None: programs contain no wrap. */
export const swapLayout: SwapLayout | undefined = undefined

/** Empty: the router wraps before the program runs and unwraps after it. */
export function encodeSwap(_pool: WrapPool, _direction: Direction): Hex {
  return '0x'
}

/** Gas limit that wrapping or unwrapping adds to a swap. Measured on the devnet. */
export function estimateGas(_pool: WrapPool, direction: Direction, _amountIn: bigint): number {
  return direction.in === 0 ? 25_000 : 33_000
}
