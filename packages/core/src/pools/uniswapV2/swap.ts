import { concatHex, type Hex, toHex } from '../../hex.js'
import type { Direction, SwapLayout } from '../family.js'
import type { UniswapV2Pool } from './pool.js'

/** `01 pool zeroForOne feePpm:uint24`; the executor reads the reserves itself. */
export const swapLayout: SwapLayout = { opcode: 0x01, bytes: 25, isPaidBefore: true }

/** The swap's bytes, as {@link swapLayout} says. */
export function encodeSwap(pool: UniswapV2Pool, direction: Direction): Hex {
  return concatHex(
    toHex(swapLayout.opcode, 1),
    pool.id,
    toHex(direction.in === 0 ? 1 : 0, 1),
    toHex(pool.feePpm, 3),
  )
}

/**
 * Gas limit that one hop adds: the executor's part and the pair's. Measured on the devnet. A pair's very
 * first swap takes 34,000 more, for two slots that were zero; its state does not tell it.
 */
export function estimateGas(
  _pool: UniswapV2Pool,
  _direction: Direction,
  _amountIn: bigint,
): number {
  return 77_000
}
