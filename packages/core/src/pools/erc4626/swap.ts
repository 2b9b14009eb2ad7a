import { concatHex, type Hex, toHex } from '../../hex.js'
import type { Direction, SwapLayout } from '../family.js'
import type { Erc4626Pool } from './pool.js'

/** `04 vault isDeposit`. */
export const swapLayout: SwapLayout = { opcode: 0x04, bytes: 22 }

/** The swap's bytes, as {@link swapLayout} says. */
export function encodeSwap(pool: Erc4626Pool, direction: Direction): Hex {
  return concatHex(toHex(swapLayout.opcode, 1), pool.id, toHex(direction.in === 0 ? 1 : 0, 1))
}

/**
 * Gas limit that one hop adds: the executor's part and the vault's. A deposit is approved for
 * before and the approval taken back after. OpenZeppelin's vault adds 86,000 and 57,000
 * (packages/contracts/snapshots); assets behind a proxy take some more.
 */
export function estimateGas(_pool: Erc4626Pool, direction: Direction, _amountIn: bigint): number {
  return direction.in === 0 ? 90_000 : 60_000
}
