export { feeRate, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty, liveBalances } from './exact.js'
export type { AmpRamp, BalancerV3Pool, EclpForm, StableForm, WeightedForm } from './pool.js'
export { encodeSwap, estimateGas, swapLayout } from './swap.js'
