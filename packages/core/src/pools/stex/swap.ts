import type { Direction, SwapLayout } from '../family.js'
import type { StexPool } from './pool.js'

/** `05 pool zeroForOne`; the executor approves the pool for the amount and revokes the approval. */
export const swapLayout: SwapLayout = { opcode: 0x05, bytes: 22, paysItsCaller: true }

/**
 * Gas limit of one hop. Our double needs 134,000 for token 0 and 122,000 for token 1 in the run of orders
 * (packages/e2e). On chain, the staked token, its rate source and the lender are
 * behind proxies, and the lender sums up its markets for each swap of token 0.
 */
export function estimateGas(_pool: StexPool, direction: Direction): number {
  return direction.in === 0 ? 250_000 : 150_000
}
