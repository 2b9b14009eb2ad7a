export { feeRate, measure, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export type { CamelotPool } from './pool.js'
export { encodeSwap, estimateGas, leastGas, swapLayout } from './swap.js'
