import type { SwapLayout } from '../family.js'

/** `0e manager 01`; the executor approves the manager for the amount, and wraps what it is paid. */
export const swapLayout: SwapLayout = {
  ...{ opcode: 0x0e, bytes: 22, fixedFlag: 1, paysItsCaller: true },
}

/**
 * Gas limit of one hop. A transaction on chain used 386,778 in all, without the approval, the wrapping and the
 * executor's balances, which add 90,000; its own 21,000 are not part of a hop.
 */
export function estimateGas(): number {
  return 460_000
}
