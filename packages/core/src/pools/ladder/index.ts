/** Pools that are sampled at a ladder of amounts, because their price is not in their state. */

export { feeRate, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export type { Ladder, LadderPool, LadderProtocol } from './pool.js'
export { shape } from './shape.js'
export { estimateGas } from './swap.js'
