/** Vaults of ERC-4626 that hold their assets themselves. */

export { feeRate, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export type { Erc4626Pool } from './pool.js'
export { shape } from './shape.js'
export { estimateGas } from './swap.js'
