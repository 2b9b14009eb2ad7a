/** Concentrated pools of Uniswap V3 and its forks. */

export { feeRate, measure, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export { feePpmOf } from './fee.js'
export { movable } from './movable.js'
export { pruneOracle, writeObservation } from './oracle.js'
export type { DynamicFee, Observation, Oracle, UniswapV3Pool } from './pool.js'
export { shape } from './shape.js'
export { encodeSwap, estimateGas } from './swap.js'
