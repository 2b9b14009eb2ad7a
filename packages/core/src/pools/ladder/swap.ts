import { concatHex, type Hex, toHex } from '../../hex.js'
import type { Direction, SwapLayout } from '../family.js'
import type { LadderPool } from './pool.js'

/** `06 pool zeroForOne`; the executor approves the pool for the amount, and takes that back. */
export const swapLayout: SwapLayout = { opcode: 0x06, bytes: 22, paysItsCaller: true }

/** The swap's bytes, as {@link swapLayout} says. */
export function encodeSwap(pool: LadderPool, direction: Direction): Hex {
  return concatHex(toHex(swapLayout.opcode, 1), pool.id, toHex(direction.in === 0 ? 1 : 0, 1))
}

/**
 * Gas limit that one hop adds. Nobody publishes the bytecode of such a pool: 139,000 is what another
 * router allows for one's swap, and the approval and the executor take less than 40,000 more, as a
 * double shows (packages/contracts/snapshots).
 */
export function estimateGas(_pool: LadderPool, _direction: Direction, _amountIn: bigint): number {
  return 190_000
}
