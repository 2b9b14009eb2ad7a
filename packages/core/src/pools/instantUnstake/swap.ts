import { concatHex, type Hex, toHex } from '../../hex.js'
import type { Direction, SwapLayout } from '../family.js'
import type { InstantUnstakePool } from './pool.js'

/** `0e manager 01`; the executor approves the manager for the amount, and wraps what it is paid. */
export const swapLayout: SwapLayout = { opcode: 0x0e, bytes: 22, paysItsCaller: true }

/** The bytes of the swap, in the format of `swapLayout`. */
export function encodeSwap(pool: InstantUnstakePool, _direction: Direction): Hex {
  return concatHex(toHex(swapLayout.opcode, 1), pool.id, toHex(1, 1))
}

/**
 * Gas limit of one hop. A transaction on chain used 386,778 in all, without the approval, the wrapping and the
 * executor's balances, which add 90,000; its own 21,000 are not part of a hop.
 */
export function estimateGas(
  _pool: InstantUnstakePool,
  _direction: Direction,
  _amountIn: bigint,
): number {
  return 460_000
}
