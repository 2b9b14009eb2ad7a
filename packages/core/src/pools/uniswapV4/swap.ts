import { concatHex, type Hex, toHex } from '../../hex.js'
import { ticksCrossed } from '../../math/concentrated.js'
import { wordOf } from '../concentratedCurve.js'
import type { Direction, SwapLayout } from '../family.js'
import { applySwap } from './exact.js'
import type { UniswapV4Pool } from './pool.js'

/** `0a manager sides feePpm tickSpacing hooks`. */
export const swapLayout: SwapLayout = {
  ...{ opcode: 0x0a, bytes: 47, flag: 'currencies', paysItsCaller: true },
}

/** Gas of crossing an initialised tick for the first time, which writes two slots that were zero. */
export const TICK_GAS = 58_000

/** Gas of entering a word of the bitmap of ticks. */
export const WORD_GAS = 6_050

/** Gas of a native token, less than that of a transfer, with its wrapping or unwrapping. */
const NATIVE_GAS = -9_000

/** Gas of adding to what the protocol has earned of the token. */
const PROTOCOL_GAS = 6_000

/** The bytes of the swap, in the format of `swapLayout`. */
export function encodeSwap(pool: UniswapV4Pool, direction: Direction): Hex {
  const sides = (direction.in === 0 ? 1 : 0) + (pool.isNative ? 2 : 0)
  return concatHex(
    ...[toHex(swapLayout.opcode, 1), pool.manager, toHex(sides, 1), toHex(pool.lpFeePpm, 3)],
    ...[toHex(pool.tickSpacing, 2), pool.hooks],
  )
}

/**
 * Gas limit of one hop: a base for the unlocking, the swap and the settlement, and a charge per
 * initialised tick crossed and per bitmap word entered, as in Uniswap V3. Measured on the manager's
 * bytecode; the run of orders (packages/e2e) fits the base. The first swaps of a pool and of a token write slots that were zero, which the state does not
 * show.
 */
export function estimateGas(pool: UniswapV4Pool, direction: Direction, amountIn: bigint): number {
  const end = applySwap(pool, direction, amountIn).tick
  const crossed = ticksCrossed(pool.ticks, pool.tick, end)
  const entered = Math.abs(wordOf(end, pool.tickSpacing) - wordOf(pool.tick, pool.tickSpacing))
  const crossing = TICK_GAS * crossed + WORD_GAS * entered
  const protocolFee = pool.protocolFeesPpm[direction.in === 0 ? 0 : 1]
  const extra = (pool.isNative ? NATIVE_GAS : 0) + (protocolFee > 0 ? PROTOCOL_GAS : 0)
  return 94_000 + crossing + extra
}
