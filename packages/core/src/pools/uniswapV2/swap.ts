import { concatHex, type Hex, toHex } from '../../hex.js'
import type { Direction, SwapLayout } from '../family.js'
import type { UniswapV2Pool } from './pool.js'

/** `01 pool zeroForOne feePpm:uint24`; the executor reads the reserves itself. */
export const swapLayout: SwapLayout = {
  ...{ opcode: 0x01, bytes: 25, flag: 'zeroForOne', isPaidBefore: true },
}

/** The bytes of the swap, in the format of `swapLayout`. */
export function encodeSwap(pool: UniswapV2Pool, direction: Direction): Hex {
  return concatHex(
    toHex(swapLayout.opcode, 1),
    pool.id,
    toHex(direction.in === 0 ? 1 : 0, 1),
    toHex(pool.feePpm, 3),
  )
}

/**
 * Gas limit of one hop, in the executor and the pair, measured on the devnet. The first swap of a
 * pair uses 34,000 more, for two slots that were zero; its state does not show that.
 */
export function estimateGas(
  _pool: UniswapV2Pool,
  _direction: Direction,
  _amountIn: bigint,
): number {
  return 77_000
}
