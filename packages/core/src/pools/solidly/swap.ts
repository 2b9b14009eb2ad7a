import type { Direction, SwapLayout } from '../family.js'
import { refusesItsQuote } from './exact.js'
import type { SolidlyPool } from './pool.js'

/** `03 pool zeroForOne`; the executor reads the amount from the pair itself. */
export const swapLayout: SwapLayout = {
  ...{ opcode: 0x03, bytes: 22, flag: 'zeroForOne', isPaidBefore: true },
}

/**
 * Gas limit of one hop, with the second attempt if the pair refuses its own quote. No bytecode of
 * such a pair is published: a double needs 86,000 in the run of orders (packages/e2e), and other routers
 * allow 227,000.
 */
export function estimateGas(pool: SolidlyPool, direction: Direction, amountIn: bigint): number {
  return pool.stable && refusesItsQuote(pool, direction, amountIn) ? 330_000 : leastGas(pool)
}

/** The gas without a second attempt; a pair may refuse the quote of one wei and take others. */
export function leastGas({ stable }: SolidlyPool): number {
  return stable ? 200_000 : 140_000
}
