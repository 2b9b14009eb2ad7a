import { concatHex, type Hex, toHex } from '../../hex.js'
import type { Direction, SwapLayout } from '../family.js'
import type { LadderPool } from './pool.js'

/** `06 pool zeroForOne`; the executor approves the pool for the amount and revokes the approval. */
export const swapLayout: SwapLayout = { opcode: 0x06, bytes: 22, paysItsCaller: true }

/** The bytes of the swap, in the format of {@link swapLayout}. */
export function encodeSwap(pool: LadderPool, direction: Direction): Hex {
  return concatHex(toHex(swapLayout.opcode, 1), pool.id, toHex(direction.in === 0 ? 1 : 0, 1))
}

/**
 * Gas limit of one hop. The bytecode of such a pool is not published: another router allows 139,000
 * for a swap, and the approval and the executor use less than 40,000 more, as measured on a double
 * (packages/contracts/snapshots).
 */
export function estimateGas(_pool: LadderPool, _direction: Direction, _amountIn: bigint): number {
  return 190_000
}
