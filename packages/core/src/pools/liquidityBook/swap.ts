import type { Direction, SwapLayout } from '../family.js'
import { swapOf } from './exact.js'
import type { LiquidityBookPool } from './pool.js'

/** `08 pair swapForY`; the input is transferred to the pair before the swap. */
export const swapLayout: SwapLayout = { opcode: 0x08, bytes: 22, isPaidBefore: true }

/** Gas of each bin after the first. */
export const BIN_GAS = 20_000

/**
 * Gas of a bin in another word of the tree of bins above {@link BIN_GAS}, for each level of words. On our double such
 * a bin uses 20,500 and, in another word of the next level, 24,200; a neighbour uses 15,100.
 */
const LEVEL_GAS = 3_000

/**
 * Gas limit of one hop. Our double needs 83,000 in the run of orders (packages/e2e), and up to
 * 19,500 for each further bin (packages/contracts/snapshots); the contract also writes an oracle. Another router allows 71,000 for
 * a swap and 15,000 for each bin, and less than we do for pairs whose bytecode we measure.
 */
export function estimateGas(
  pool: LiquidityBookPool,
  direction: Direction,
  amountIn: bigint,
): number {
  const ids = swapOf(pool, direction, amountIn)?.parts.map(({ bin }) => bin.id) ?? [0]
  const levels = [8, 16].map(
    (bits) => ids.filter((id, k) => k > 0 && id >> bits !== ids[k - 1]! >> bits).length,
  )
  return 90_000 + BIN_GAS * (ids.length - 1) + LEVEL_GAS * (levels[0]! + levels[1]!)
}
