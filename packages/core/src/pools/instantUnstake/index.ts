/** Staking managers that buy their staked token back at once, for a fee. */

export { feeRate, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty, largestInput, previewInstantUnstake } from './exact.js'
export type { InstantUnstakePool } from './pool.js'
export { shape } from './shape.js'
export { estimateGas } from './swap.js'
