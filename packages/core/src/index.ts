export type { Bound } from './certificate/bound.js'
export { recomputeBound } from './certificate/recomputeBound.js'
export { type InputBound, recomputeInputBound } from './certificate/recomputeInputBound.js'
export { BadOrderError } from './checkCall.js'
export {
  BadCalldataError,
  decodeRouterCall,
  encodeRouterCall,
  type Payment,
  type RouterCall,
} from './encoder/calldata.js'
export { BadCallError } from './encoder/checkCall.js'
export {
  type CalledContracts,
  type Check,
  checkIntent,
  type ExpectedFields,
  type ExpectedSwap,
  findMismatches,
  type Intent,
  type ReplayedIntent,
  readIntent,
  replayIntent,
} from './encoder/intent.js'
export { payeeOf } from './encoder/payee.js'
export {
  PERMIT2,
  type PermitToken,
  permit2Message,
  permitMessage,
  withPayment,
} from './encoder/payment.js'
export {
  BadProgramError,
  type DecodedProgram,
  decodeProgram,
  encodeProgram,
  type ProgramEnds,
} from './encoder/program.js'
export {
  isBurnAddress,
  type ReceiverContext,
  ReceiverRefusedError,
  receiverFault,
} from './encoder/receiver.js'
export { CannotRescaleError, type RescaledAmounts, rescale } from './encoder/rescale.js'
export {
  type CallTerms,
  nativeValueOf,
  type QuotedRoute,
  routerCallOf,
  type SwapCall,
  swapCallOf,
} from './encoder/swapCall.js'
export { BadOptionsError, BaseError, type ErrorDetails } from './errors.js'
export { inputGapBpsOf } from './exactOut/inputBound.js'
export { type Delivery, quoteDelivery } from './exactOut/quoteDelivery.js'
export { type ExactOutQuote, quoteExactOut } from './exactOut/quoteExactOut.js'
export { beforeFee, type Fee, feeOn, MAX_FEE_PPM, type PaidFee } from './fee.js'
export {
  MAX_TIP_OVER_BASE,
  type TxFees,
  txFeesOf,
  withGasMargin,
  withGasPriceMargin,
} from './gasMargin.js'
export { buildGraph, type Edge, type Graph, poolById } from './graph.js'
export {
  type Address,
  concatHex,
  type Hex,
  NATIVE,
  sizeOfHex,
  sliceHex,
  toHex,
  wrappedOf,
  ZERO_ADDRESS,
} from './hex.js'
export { parse, stringify } from './json.js'
export { largestFill, poolsOffMarket } from './largestFill.js'
export { depthsOfPools, pricesOfTokens } from './marketValues.js'
export { type Concentrated, liquidityAt, type Tick } from './math/concentrated.js'
export { divUp, mulDivDown, mulDivUp } from './math/fullMath.js'
export { type LinearRamp, linearAt } from './math/linearRamp.js'
export {
  getSqrtPriceAtTick,
  getTickAtSqrtPrice,
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
} from './math/tickMath.js'
export type { ExactOutOrder, Order } from './order.js'
export { ownValue } from './ownValue.js'
export {
  type AdaptiveFee,
  type AlgebraIntegralPool,
  beforeSwap,
  type FeeConfig,
  mostIntoReserve,
  ROOM_FOR_FEES,
  type SlidingFee,
  swapFeePpm,
  type Timepoint,
  updateAdaptiveFee,
  type VolatilityOracle,
} from './pools/algebraIntegral/index.js'
export {
  type AlgebraV1Pool,
  addVolume,
  updateVolumeFee,
  type VolumeFeeConfig,
  type VolumeOracle,
  type VolumeTimepoint,
  volumeOracle,
} from './pools/algebraV1/index.js'
export type { BalancerBufferPool } from './pools/balancerBuffer/index.js'
export type {
  BalancerV2Pool,
  ComposableStableForm,
  TokenRate,
} from './pools/balancerV2/index.js'
export {
  type BalancerV3Pool,
  type EclpForm,
  liveBalances,
  type StableForm,
  type WeightedForm,
} from './pools/balancerV3/index.js'
export type { CamelotPool } from './pools/camelot/index.js'
export type { CryptoRamp, CurveCryptoPool } from './pools/curveCrypto/index.js'
export type { AmplificationRamp, CurveStableSwapPool } from './pools/curveStableSwap/index.js'
export type { Erc4626Pool } from './pools/erc4626/index.js'
export type { Curve, Direction, Family, Movable, PoolBase, SwapLayout } from './pools/family.js'
export {
  applySwap,
  BadFamilyError,
  calledContract,
  encodeSwap,
  estimateGas,
  type FamilyName,
  families,
  feeRate,
  getAmountOut,
  isEmpty,
  movableOf,
  type Pool,
  toCurve,
} from './pools/index.js'
export {
  type Ladder,
  type LadderPool,
  type LadderProtocol,
  ladderProtocols,
} from './pools/ladder/index.js'
export { swapLayouts } from './pools/layouts.js'
export {
  type Bin,
  type LiquidityBookPool,
  referencesOf,
  type StaticFeeParameters,
  type VariableFeeParameters,
  volatilityAt,
} from './pools/liquidityBook/index.js'
export * from './pools/modules.js'
export { maxReserveOf, type SolidlyPool, type SolidlyVariant } from './pools/solidly/index.js'
export {
  convertToToken0,
  convertToToken1,
  feeBipsOf,
  type RatioFee,
  type StepsFee,
  type StexPool,
} from './pools/stex/index.js'
export type { UniswapV2Pool } from './pools/uniswapV2/index.js'
export {
  type DynamicFee,
  feePpmOf,
  type Observation,
  type Oracle,
  pruneOracle,
  type UniswapV3Pool,
  writeObservation,
} from './pools/uniswapV3/index.js'
export type { UniswapV4Pool } from './pools/uniswapV4/index.js'
export type { AmpRamp } from './pools/weightedStable.js'
export type { WrapPool } from './pools/wrap/index.js'
export { priceImpactBps, spotAmountOut } from './priceImpact.js'
export {
  AmountTooSmallError,
  gapBpsOf,
  InsufficientLiquidityError,
  NoRouteError,
  type Quote,
  type QuoteOptions,
  quote,
  quoteHops,
} from './quote.js'
export { precomputeReference } from './reference/referencePrices.js'
export {
  type Hop,
  /** Least gas limit of a hop through a pool. */
  leastGas,
  type PlannedHop,
  ROUTER_GAS,
  type Route,
  replay,
  SHARE_ONE,
  transactionGasOf,
} from './replay.js'
export type { JsonSchema } from './shape/jsonSchema.js'
export type { Fault, Shape } from './shape/shape.js'
export {
  floorAt,
  floorOf,
  parseSlippagePpm,
  type QuotedOutput,
  raisedAt,
  raisedBy,
} from './slippage.js'
export {
  advance,
  type Block,
  type Snapshot,
  type SnapshotChange,
  type Token,
} from './snapshot.js'
export {
  BadSnapshotError,
  type CheckOptions,
  checkSnapshot,
  parseSnapshot,
  SNAPSHOT_VERSION,
  snapshotSchema,
  stringifySnapshot,
} from './snapshotFile.js'
export { solveOrder } from './solveOrder.js'
export type { Solution } from './solver/solve.js'
export type { Options, StartPrices, Terms } from './solver/terms.js'
