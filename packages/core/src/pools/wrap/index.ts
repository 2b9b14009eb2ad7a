/** The wrapped native token, as a pool that exchanges 1:1. */

export { feeRate, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export type { WrapPool } from './pool.js'
export { shape } from './shape.js'
export { estimateGas } from './swap.js'
