/**
 * The executor's instruction for a swap in a pool with the call interface of Uniswap V3: the pool asks
 * for its payment in a callback. The Algebra families share it.
 */
import type { SwapLayout } from './family.js'

/** `02 pool zeroForOne`. */
export const swapLayout: SwapLayout = { opcode: 0x02, bytes: 22, flag: 'zeroForOne' }
