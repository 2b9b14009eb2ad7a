import type { Direction, SwapLayout } from '../family.js'
import type { Erc4626Pool } from './pool.js'

/** `04 vault isDeposit`. */
export const swapLayout: SwapLayout = { opcode: 0x04, bytes: 22, flag: 'isDeposit' }

/**
 * Gas limit of one hop, in the executor and the vault. A deposit includes an approval and its
 * revocation. OpenZeppelin's vault uses 74,000 and 46,000 (packages/contracts/snapshots); an asset
 * behind a proxy uses somewhat more.
 */
export function estimateGas(_pool: Erc4626Pool, direction: Direction): number {
  return direction.in === 0 ? 80_000 : 52_000
}
