import { concatHex, type Hex, toHex } from '../../hex.js'
import type { Direction, SwapLayout } from '../family.js'
import { refusesItsQuote } from './exact.js'
import type { SolidlyPool } from './pool.js'

/** `03 pool zeroForOne`; the executor asks the pair itself for the amount. */
export const swapLayout: SwapLayout = { opcode: 0x03, bytes: 22, isPaidBefore: true }

/** The swap's bytes, as {@link swapLayout} says. */
export function encodeSwap(pool: SolidlyPool, direction: Direction): Hex {
  return concatHex(toHex(swapLayout.opcode, 1), pool.id, toHex(direction.in === 0 ? 1 : 0, 1))
}

/**
 * Gas limit that one hop adds, a second attempt included where the pair refuses its own quote. No
 * bytecode of such a pair is published: 227,000 is what other routers allow, the rest was measured
 * on a double.
 */
export function estimateGas(pool: SolidlyPool, direction: Direction, amountIn: bigint): number {
  if (!pool.stable) return 190_000
  return refusesItsQuote(pool, direction, amountIn) ? 400_000 : 250_000
}
