import { concatHex, type Hex, toHex } from '../../hex.js'
import type { Direction, SwapLayout } from '../family.js'
import type { BalancerBufferPool } from './pool.js'

/** `0d vault isWrap`; the executor is paid inside the vault's `unlock`. */
export const swapLayout: SwapLayout = { opcode: 0x0d, bytes: 22, paysItsCaller: true }

/** The bytes of the swap, in the format of `swapLayout`. */
export function encodeSwap(pool: BalancerBufferPool, direction: Direction): Hex {
  return concatHex(toHex(swapLayout.opcode, 1), pool.manager, toHex(direction.in === 0 ? 1 : 0, 1))
}

/**
 * Gas limit of one hop: unlocking, one preview of the wrapped token, and the settlement. With the vault
 * compiled with optimisation and a plain asset, 96,000 on the devnet in OpenZeppelin's and solmate's
 * tokens. Others measured 121,000 for an expensive preview.
 */
export function estimateGas(
  _pool: BalancerBufferPool,
  _direction: Direction,
  _amountIn: bigint,
): number {
  return 112_000
}
