/** Buffers of ERC-4626 tokens in the vault of Balancer V3. */

export { feeRate, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export type { BalancerBufferPool } from './pool.js'
export { shape } from './shape.js'
export { estimateGas } from './swap.js'
