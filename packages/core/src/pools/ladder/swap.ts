import { concatHex, type Hex, toHex } from '../../hex.js'
import type { Direction, SwapLayout } from '../family.js'
import type { LadderPool } from './pool.js'

/** `06 pool zeroForOne`; the executor approves the pool for the amount and revokes the approval. */
export const swapLayout: SwapLayout = { opcode: 0x06, bytes: 22, paysItsCaller: true }

/** Opcode of a vault, whose hop has the same form: `04 vault isDeposit`. */
const VAULT_OPCODE = 0x04

/** The bytes of the swap, in the format of `swapLayout`, or in that of a vault. */
export function encodeSwap(pool: LadderPool, direction: Direction): Hex {
  const opcode = pool.protocol === 'vault' ? VAULT_OPCODE : swapLayout.opcode
  return concatHex(toHex(opcode, 1), pool.id, toHex(direction.in === 0 ? 1 : 0, 1))
}

/**
 * Gas limit of one hop. The bytecode of such a pool is not published: another router allows 139,000
 * for a swap, and a double needs 87,000 with the approval and the executor in the run of orders
 * (packages/e2e). A vault that lends its assets accrues interest in every market; its
 * gas is an estimate, not measured.
 */
export function estimateGas({ protocol }: LadderPool): number {
  return protocol === 'vault' ? 500_000 : 130_000
}
