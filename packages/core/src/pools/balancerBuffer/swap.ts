import type { SwapLayout } from '../family.js'

/** `0d vault isWrap`; the executor is paid inside the vault's `unlock`. */
export const swapLayout: SwapLayout = { opcode: 0x0d, bytes: 22, paysItsCaller: true }

/**
 * Gas limit of one hop: unlocking, one preview of the wrapped token, and the settlement. With the vault
 * compiled with optimisation and a plain asset, 96,000 on the devnet in OpenZeppelin's and solmate's
 * tokens. Others measured 121,000 for an expensive preview.
 */
export function estimateGas(): number {
  return 112_000
}
