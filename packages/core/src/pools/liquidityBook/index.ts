/** Pairs of Liquidity Book, with liquidity in bins of constant price. */

export { feeRate, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export type {
  Bin,
  LiquidityBookPool,
  StaticFeeParameters,
  VariableFeeParameters,
} from './pool.js'
export { shape } from './shape.js'
export { estimateGas } from './swap.js'
