/** Curve's StableSwap pools of two to eight coins. */

export { feeRate, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export { movable } from './movable.js'
export type { AmplificationRamp, CurveStableSwapPool } from './pool.js'
export { shape } from './shape.js'
export { encodeSwap, estimateGas } from './swap.js'
