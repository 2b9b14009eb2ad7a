/** Pools that are sampled at a ladder of amounts, because their price is not in their state. */

export { feeRate, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export { movable } from './movable.js'
export { type Ladder, type LadderPool, type LadderProtocol, ladderProtocols } from './pool.js'
export { shape } from './shape.js'
export { encodeSwap, estimateGas } from './swap.js'
