/** Weighted pools, stable pools and Gyro E-CLPs in the vault of Balancer V3. */

export { feeRate, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export type { BalancerV3Pool, EclpForm, StableForm, WeightedForm } from './pool.js'
export { shape } from './shape.js'
export { estimateGas } from './swap.js'
