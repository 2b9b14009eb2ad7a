import { concatHex, type Hex, toHex } from '../../hex.js'
import type { Direction, SwapLayout } from '../family.js'
import type { StexPool } from './pool.js'

/** `05 pool zeroForOne`; the executor approves the pool for the amount, and takes that back. */
export const swapLayout: SwapLayout = { opcode: 0x05, bytes: 22, paysItsCaller: true }

/** The swap's bytes, as {@link swapLayout} says. */
export function encodeSwap(pool: StexPool, direction: Direction): Hex {
  return concatHex(toHex(swapLayout.opcode, 1), pool.id, toHex(direction.in === 0 ? 1 : 0, 1))
}

/**
 * Gas limit that one hop adds. A double of ours adds 152,000 for token 0 and 122,000 for token 1
 * (packages/contracts/snapshots). On chain the staked token, who tells its rate and who is lent to
 * stand behind proxies, and lenders add up their markets for each swap of token 0.
 */
export function estimateGas(_pool: StexPool, direction: Direction, _amountIn: bigint): number {
  return direction.in === 0 ? 380_000 : 220_000
}
