export { feeRate, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export { type Ladder, type LadderPool, type LadderProtocol, ladderProtocols } from './pool.js'
export { encodeSwap, estimateGas, swapLayout } from './swap.js'
