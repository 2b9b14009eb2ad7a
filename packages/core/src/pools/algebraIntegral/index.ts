/** Concentrated pools of Algebra Integral, whose ticks form a list and whose fee a plugin may set. */

export { feeRate, measure, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty, mostIntoReserve, ROOM_FOR_FEES } from './exact.js'
export { beforeSwap, swapFeePpm, updateAdaptiveFee } from './fee.js'
export { movable } from './movable.js'
export { writeTimepoint } from './oracle.js'
export type {
  AdaptiveFee,
  AlgebraIntegralPool,
  FeeConfig,
  SlidingFee,
  Timepoint,
  VolatilityOracle,
} from './pool.js'
export { shape } from './shape.js'
export { encodeSwap, estimateGas } from './swap.js'
