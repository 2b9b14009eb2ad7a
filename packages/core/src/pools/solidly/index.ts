/** Volatile and stable pairs of Solidly and its forks, which quote themselves. */

export { feeRate, measure, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty, maxReserveOf } from './exact.js'
export { movable } from './movable.js'
export type { SolidlyPool, SolidlyVariant } from './pool.js'
export { shape } from './shape.js'
export { encodeSwap, estimateGas, leastGas } from './swap.js'
