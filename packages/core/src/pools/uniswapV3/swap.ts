import { concatHex, type Hex, toHex } from '../../hex.js'
import { ticksCrossed } from '../../math/concentrated.js'
import type { Direction, SwapLayout } from '../family.js'
import { applySwap } from './exact.js'
import type { UniswapV3Pool } from './pool.js'

/** `02 pool zeroForOne`. */
export const swapLayout: SwapLayout = { opcode: 0x02, bytes: 22 }

/** The swap's bytes, as {@link swapLayout} says. */
export function encodeSwap(pool: UniswapV3Pool, direction: Direction): Hex {
  return concatHex(toHex(swapLayout.opcode, 1), pool.id, toHex(direction.in === 0 ? 1 : 0, 1))
}

/**
 * Gas limit that one hop adds: a base, a charge per initialised tick crossed and one per bitmap word
 * entered. The first crossing of a tick writes slots that were zero, and the state does not tell
 * whether it is the first: every crossing is charged as if. Measured on the devnet.
 */
export function estimateGas(pool: UniswapV3Pool, direction: Direction, amountIn: bigint): number {
  const end = applySwap(pool, direction, amountIn).tick
  const crossed = ticksCrossed(pool.ticks, pool.tick, end)
  const wordOf = (tick: number) => Math.floor(tick / pool.tickSpacing / 256)
  return 88_000 + 55_000 * crossed + 5_000 * Math.abs(wordOf(end) - wordOf(pool.tick))
}
