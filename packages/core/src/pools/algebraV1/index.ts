/** Concentrated pools of Algebra 1.0 and 1.9, whose fee follows volatility and volume. */

export { feeRate, measure, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export type { AlgebraV1Pool, VolumeFeeConfig, VolumeOracle, VolumeTimepoint } from './pool.js'
export { shape } from './shape.js'
export { estimateGas } from './swap.js'
