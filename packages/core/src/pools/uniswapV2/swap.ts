import type { SwapLayout } from '../family.js'

/** `01 pool zeroForOne feePpm:uint24`; the executor reads the reserves itself. */
export const swapLayout: SwapLayout = {
  ...{ opcode: 0x01, bytes: 25, flag: 'zeroForOne', isPaidBefore: true },
}

/**
 * Gas limit of one hop, in the executor and the pair, measured on the devnet. The first swap of a
 * pair uses 34,000 more, for two slots that were zero; its state does not show that.
 */
export function estimateGas(): number {
  return 77_000
}
