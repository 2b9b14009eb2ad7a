/** Concentrated pools of Algebra Integral, whose ticks form a list and whose fee a plugin may set. */

export { feeRate, measure, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export type {
  AdaptiveFee,
  AlgebraIntegralPool,
  FeeConfig,
  SlidingFee,
  Timepoint,
  VolatilityOracle,
} from './pool.js'
export { shape } from './shape.js'
export { estimateGas } from './swap.js'
