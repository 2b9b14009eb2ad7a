// The maths of pools: what each family computes, and the numbers that it computes with.

export { type Concentrated, liquidityAt, type Tick } from './math/concentrated.js'
export type { CryptoSwapBalance, CryptoSwapForm } from './math/cryptoSwap.js'
export type { Bounds, CryptoSwapVersion } from './math/cryptoSwapBounds.js'
export { divUp, mulDivDown, mulDivUp } from './math/fullMath.js'
export type { Intervals } from './math/intervals.js'
export { type LinearRamp, linearAt } from './math/linearRamp.js'
export type { Pieces } from './math/pieces.js'
export type { InvariantRounding } from './math/stableSwap.js'
export {
  getSqrtPriceAtTick,
  getTickAtSqrtPrice,
  MAX_SQRT_PRICE_X96,
  MAX_TICK,
  MIN_SQRT_PRICE_X96,
  MIN_TICK,
} from './math/tickMath.js'
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
export type { BalancerV2Pool, ComposableStableForm, TokenRate } from './pools/balancerV2/index.js'
export {
  type BalancerV3Pool,
  type EclpForm,
  liveBalances,
  type StableForm,
  type WeightedForm,
} from './pools/balancerV3/index.js'
export type { Vector } from './pools/balancerV3/pool.js'
export type { CamelotPool } from './pools/camelot/index.js'
export type { CryptoRamp, CurveCryptoPool } from './pools/curveCrypto/index.js'
export type { AmplificationRamp, CurveStableSwapPool } from './pools/curveStableSwap/index.js'
export type { Erc4626Pool } from './pools/erc4626/index.js'
export type { Curve, Family, Measures, Movable, PoolBase, SwapLayout } from './pools/family.js'
export type { Families } from './pools/index.js'
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
export type { Reserves } from './pools/pairReserves.js'
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
export type { JsonSchema } from './shape/jsonSchema.js'
export type { Fault, FieldNode, Node, Shape } from './shape/shape.js'
