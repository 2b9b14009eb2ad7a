/** Pairs of constant product, with a fee on the input. */

export { feeRate, measure, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export type { UniswapV2Pool } from './pool.js'
export { shape } from './shape.js'
export { estimateGas } from './swap.js'
