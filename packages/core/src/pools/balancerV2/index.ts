/** Weighted and composable stable pools in the vault of Balancer V2. */

export { feeRate, toCurve } from './curve.js'
export { applySwap, getAmountOut, isEmpty } from './exact.js'
export type {
  BalancerV2Pool,
  ComposableStableForm,
  TokenRate,
  WeightedForm,
} from './pool.js'
export { shape } from './shape.js'
export { estimateGas } from './swap.js'
