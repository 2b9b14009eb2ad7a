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
 * before and the approval taken back after. Above what traces of OpenZeppelin's vault show, in
 * packages/contracts/test/swaps/Erc4626.t.sol.
 */
export function estimateGas(_pool: Erc4626Pool, direction: Direction, _amountIn: bigint): number {
  return direction.in === 0 ? 120_000 : 70_000
}
