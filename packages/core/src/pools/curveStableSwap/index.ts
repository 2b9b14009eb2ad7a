/** Curve's StableSwap pools of two to eight coins. */

export { feeRate, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export type { AmplificationRamp, CurveStableSwapPool } from './pool.js'
export { shape } from './shape.js'
export { estimateGas } from './swap.js'
