/** Valantis' Stake Exchange, which buys staked tokens at the staking rate. */

export { feeRate, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export type { RatioFee, StepsFee, StexPool } from './pool.js'
export { shape } from './shape.js'
export { estimateGas } from './swap.js'
