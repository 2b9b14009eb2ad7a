export type { Bound } from './certificate/bound.js'
export { type BoundTerms, type Checked, checkBound } from './certificate/checkBound.js'
export type { InputBound } from './certificate/recomputeInputBound.js'
export {
  decodeRouterCall,
  encodeRouterCall,
  type Payment,
  type RouterCall,
} from './encoder/calldata.js'
export {
  type CalledContracts,
  type ExpectedFields,
  type ExpectedSwap,
  findMismatches,
  type Intent,
  readIntent,
} from './encoder/intent.js'
export { type DecodedProgram, decodeProgram, encodeProgram } from './encoder/program.js'
export {
  type CallTerms,
  type QuotedRoute,
  routerCallOf,
  type SwapCall,
  swapCallOf,
} from './encoder/swapCall.js'
export { BaseError, type ErrorDetails } from './errors.js'
export { inputGapBpsOf } from './exactOut/inputBound.js'
export { type ExactOutQuote, quoteExactOut } from './exactOut/quoteExactOut.js'
export type { Fee, PaidFee } from './fee.js'
export { buildOpaqueGraph as buildGraph, type OpaqueGraph as Graph } from './graph.js'
export { type Address, type Hex, NATIVE } from './hex.js'
export type { ExactOutOrder, Order } from './order.js'
export type { Direction } from './pools/family.js'
export type { Pool } from './pools/index.js'
export { priceImpactBps } from './priceImpact.js'
export { gapBpsOf, type Quote, type QuoteOptions, quote } from './quote.js'
export type { Hop, PlannedHop, Route } from './replay.js'
export { floorAt, parseSlippagePpm } from './slippage.js'
export type { Block, Snapshot, Token } from './snapshot.js'
export { checkSnapshot, parseSnapshot, stringifySnapshot } from './snapshotFile.js'
export type { Options, StartPrices } from './solver/terms.js'
