/** Concentrated pools in the manager of Uniswap V4, without hooks of swaps. */

export { feeRate, measure, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export type { UniswapV4Pool } from './pool.js'
export { shape } from './shape.js'
export { estimateGas } from './swap.js'
