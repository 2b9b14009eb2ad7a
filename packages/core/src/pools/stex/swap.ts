import { concatHex, type Hex, toHex } from '../../hex.js'
import type { Direction, SwapLayout } from '../family.js'
import type { StexPool } from './pool.js'

/** `05 pool zeroForOne`; the executor approves the pool for the amount and revokes the approval. */
export const swapLayout: SwapLayout = { opcode: 0x05, bytes: 22, paysItsCaller: true }

/** The bytes of the swap, in the format of `swapLayout`. */
export function encodeSwap(pool: StexPool, direction: Direction): Hex {
  return concatHex(toHex(swapLayout.opcode, 1), pool.id, toHex(direction.in === 0 ? 1 : 0, 1))
}

/**
 * Gas limit of one hop. Our double needs 134,000 for token 0 and 122,000 for token 1 in the run of orders
 * (packages/e2e). On chain, the staked token, its rate source and the lender are
 * behind proxies, and the lender sums up its markets for each swap of token 0.
 */
export function estimateGas(_pool: StexPool, direction: Direction, _amountIn: bigint): number {
  return direction.in === 0 ? 250_000 : 150_000
}
