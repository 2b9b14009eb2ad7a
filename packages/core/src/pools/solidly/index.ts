/** Volatile and stable pairs of Solidly and its forks, which quote themselves. */

export { feeRate, measure, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export type { SolidlyPool, SolidlyVariant } from './pool.js'
export { shape } from './shape.js'
export { estimateGas, leastGas } from './swap.js'
