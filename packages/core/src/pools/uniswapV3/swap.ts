import { concatHex, type Hex, toHex } from '../../hex.js'
import { ticksCrossed } from '../../math/concentrated.js'
import type { Direction, PoolBase, SwapLayout } from '../family.js'
import { applySwap } from './exact.js'
import type { UniswapV3Pool } from './pool.js'

/** `02 pool zeroForOne`. */
export const swapLayout: SwapLayout = { opcode: 0x02, bytes: 22 }

/** The swap's bytes, as {@link swapLayout} says. */
export function encodeSwap(pool: Pick<PoolBase, 'id'>, direction: Direction): Hex {
  return concatHex(toHex(swapLayout.opcode, 1), pool.id, toHex(direction.in === 0 ? 1 : 0, 1))
}

/** What crossing an initialised tick for the first time takes. */
export const TICK_GAS = 66_000

/**
 * Gas limit that one hop adds: a base, a charge per initialised tick crossed and one per bitmap word
 * entered. The first crossing of a tick writes three slots that were zero once both fees have grown,
 * a later one takes 24,000, and the state does not tell which it is: every crossing is charged as a
 * first. Nor does it tell a pool's very first swap, which takes 20,000 more. Measured on the devnet. A
 * fork may take more, and a moving fee takes what its module reads.
 */
export function estimateGas(pool: UniswapV3Pool, direction: Direction, amountIn: bigint): number {
  const end = applySwap(pool, direction, amountIn).tick
  const crossed = ticksCrossed(pool.ticks, pool.tick, end)
  const wordOf = (tick: number) => Math.floor(tick / pool.tickSpacing / 256)
  const walk = TICK_GAS * crossed + 5_000 * Math.abs(wordOf(end) - wordOf(pool.tick))
  return 92_000 + walk + (pool.extraGas ?? 0) + feeGas(pool)
}

// Counted, not measured: four contracts and some ten slots asked for the first time in the
// transaction, and two observations for every step of a bisection of the ring.
function feeGas({ dynamicFee }: UniswapV3Pool): number {
  if (!dynamicFee) return 0
  return 35_000 + 2 * 2_100 * Math.ceil(Math.log2(dynamicFee.oracle.cardinality + 1))
}
