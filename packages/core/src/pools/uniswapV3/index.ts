/** Concentrated pools of Uniswap V3 and its forks. */

export { feeRate, measure, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export type { DynamicFee, Observation, Oracle, UniswapV3Pool } from './pool.js'
export { shape } from './shape.js'
export { estimateGas } from './swap.js'
