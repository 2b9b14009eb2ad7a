/**
 * The executor's instruction for a swap in a pool with the call interface of Uniswap V3: the pool asks
 * for its payment in a callback. The Algebra families share it.
 */
import { concatHex, type Hex, toHex } from '../hex.js'
import type { Direction, PoolBase, SwapLayout } from './family.js'

/** `02 pool zeroForOne`. */
export const swapLayout: SwapLayout = { opcode: 0x02, bytes: 22, flag: 'zeroForOne' }

/** The bytes of the swap, in the format of `swapLayout`. */
export function encodeSwap(pool: Pick<PoolBase, 'id'>, direction: Direction): Hex {
  return concatHex(toHex(swapLayout.opcode, 1), pool.id, toHex(direction.in === 0 ? 1 : 0, 1))
}
