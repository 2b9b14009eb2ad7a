// The maths of pools: what each family computes, and the numbers that it computes with. Amounts are wei. A swap that its
// contract would refuse pays 0n, so nothing here throws for a pool that `checkSnapshot` accepts; a pool of an unknown
// family is BAD_FAMILY, and a price beyond all ticks a RangeError.

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
export { mostIntoReserve, ROOM_FOR_FEES } from './pools/algebraIntegral/exact.js'
export { beforeSwap, swapFeePpm, updateAdaptiveFee } from './pools/algebraIntegral/fee.js'
export type {
  AdaptiveFee,
  AlgebraIntegralPool,
  FeeConfig,
  SlidingFee,
  Timepoint,
  VolatilityOracle,
} from './pools/algebraIntegral/index.js'
export { updateVolumeFee } from './pools/algebraV1/fee.js'
export type {
  AlgebraV1Pool,
  VolumeFeeConfig,
  VolumeOracle,
  VolumeTimepoint,
} from './pools/algebraV1/index.js'
export { addVolume, volumeOracle } from './pools/algebraV1/oracle.js'
export type { BalancerBufferPool } from './pools/balancerBuffer/index.js'
export type { BalancerV2Pool, ComposableStableForm, TokenRate } from './pools/balancerV2/index.js'
export { liveBalances } from './pools/balancerV3/exact.js'
export type {
  BalancerV3Pool,
  EclpForm,
  StableForm,
  WeightedForm,
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
export type { Ladder, LadderPool, LadderProtocol } from './pools/ladder/index.js'
export { ladderProtocols } from './pools/ladder/pool.js'
export { swapLayouts } from './pools/layouts.js'
export { referencesOf, volatilityAt } from './pools/liquidityBook/fee.js'
export type {
  Bin,
  LiquidityBookPool,
  StaticFeeParameters,
  VariableFeeParameters,
} from './pools/liquidityBook/index.js'
export * from './pools/modules.js'
export type { Reserves } from './pools/pairReserves.js'
export { maxReserveOf } from './pools/solidly/exact.js'
export type { SolidlyPool, SolidlyVariant } from './pools/solidly/index.js'
export { convertToToken0, convertToToken1, feeBipsOf } from './pools/stex/fee.js'
export type { RatioFee, StepsFee, StexPool } from './pools/stex/index.js'
export type { UniswapV2Pool } from './pools/uniswapV2/index.js'
export { feePpmOf } from './pools/uniswapV3/fee.js'
export type { DynamicFee, Observation, Oracle, UniswapV3Pool } from './pools/uniswapV3/index.js'
export { pruneOracle, writeObservation } from './pools/uniswapV3/oracle.js'
export type { UniswapV4Pool } from './pools/uniswapV4/index.js'
export type { AmpRamp } from './pools/weightedStable.js'
export type { WrapPool } from './pools/wrap/index.js'
export type { JsonSchema } from './shape/jsonSchema.js'
export type { Fault, FieldNode, Node, Shape } from './shape/shape.js'
