/** Pairs with a fee for each input token, of constant product or of x³y + xy³. */

export { feeRate, measure, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export type { CamelotPool } from './pool.js'
export { shape } from './shape.js'
export { estimateGas, leastGas } from './swap.js'
