import type { Direction, SwapLayout } from '../family.js'
import { refusesItsQuote } from './exact.js'
import type { CamelotPool } from './pool.js'

/** `03 pool zeroForOne`, as for every pair that quotes itself. */
export const swapLayout: SwapLayout = {
  ...{ opcode: 0x03, bytes: 22, flag: 'zeroForOne', isPaidBefore: true },
}

/**
 * Gas limit of one hop, with the second attempt if the pair refuses its own quote. No bytecode of such a
 * pair is published: a double needs 79,000 in the run of orders (packages/e2e).
 */
export function estimateGas(pool: CamelotPool, direction: Direction, amountIn: bigint): number {
  return pool.stableSwap && refusesItsQuote(pool, direction, amountIn) ? 250_000 : leastGas(pool)
}

/** The gas without a second attempt; a pair may refuse the quote of one wei and take others. */
export function leastGas({ stableSwap }: CamelotPool): number {
  return stableSwap ? 140_000 : 90_000
}
