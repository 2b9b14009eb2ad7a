import { parseAbi, toEventSelector, toFunctionSelector } from 'viem'

/** `slot0()`: sqrtPriceX96 and tick are its first two words. */
export const SLOT0 = toFunctionSelector('function slot0()')
/** `liquidity()` in range. */
export const LIQUIDITY = toFunctionSelector('function liquidity()')
/** `fee()`, parts per million. */
export const FEE = toFunctionSelector('function fee()')
/** `tickSpacing()`. */
export const TICK_SPACING = toFunctionSelector('function tickSpacing()')
/** `tickBitmap(int16)`: one bit per tick, compressed by the spacing; set if initialised. */
export const TICK_BITMAP = toFunctionSelector('function tickBitmap(int16)')
/** `ticks(int24)`: liquidityNet is its second word. */
export const TICKS = toFunctionSelector('function ticks(int24)')

/** `currentFee()`, parts per million; Ramses. */
export const CURRENT_FEE = toFunctionSelector('function currentFee()')
/** `factory()`. */
export const FACTORY = toFunctionSelector('function factory()')
/** `observations(uint256)`: timestamp, tickCumulative, an unused sum, initialised. */
export const OBSERVATIONS = toFunctionSelector('function observations(uint256)')

/** `getPool(address,address,uint24)` of the factory. */
export const GET_POOL = toFunctionSelector('function getPool(address,address,uint24)')
/** `getPool(address,address,int24)` of a factory that keys its pools by tick spacing. */
export const GET_POOL_BY_SPACING = toFunctionSelector('function getPool(address,address,int24)')

/** Of a Slipstream factory: the fee module, 0 for none. */
export const SWAP_FEE_MODULE = toFunctionSelector('function swapFeeModule()')
/** Of a Slipstream factory: the default fee, used if no module sets one. */
export const TICK_SPACING_TO_FEE = toFunctionSelector('function tickSpacingToFee(int24)')
/** Of a fee module: the custom fee of a pool; 0 for none, 420 for a fee of zero. */
export const CUSTOM_FEE = toFunctionSelector('function customFee(address)')
/** Of DynamicSwapFeeModule: a pool's base fee, cap and scaling factor. */
export const DYNAMIC_FEE_CONFIG = toFunctionSelector('function dynamicFeeConfig(address)')
/** Of DynamicSwapFeeModule. */
export const DEFAULT_SCALING_FACTOR = toFunctionSelector('function defaultScalingFactor()')
/** Of DynamicSwapFeeModule. */
export const DEFAULT_FEE_CAP = toFunctionSelector('function defaultFeeCap()')
/** Of DynamicSwapFeeModule: the window of its average, in seconds. */
export const SECONDS_AGO = toFunctionSelector('function secondsAgo()')

/** The pool's logs that change its state; the two that replace all they touch come first. */
export const POOL_EVENTS = parseAbi([
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  // PancakeSwap, with protocol fees.
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint128 protocolFeesToken0, uint128 protocolFeesToken1)',
  'event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  // Ramses, where an owner may have several positions in the same range.
  'event Mint(address sender, address indexed owner, uint256 index, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'event Initialize(uint160 sqrtPriceX96, int24 tick)',
  'event IncreaseObservationCardinalityNext(uint16 observationCardinalityNextOld, uint16 observationCardinalityNextNew)',
])
/** The factories' logs of a new pool. */
export const POOL_CREATED = parseAbi([
  'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
  // Slipstream.
  'event PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool)',
])

/** topic0 of each of {@link POOL_EVENTS}. */
export const POOL_TOPICS = POOL_EVENTS.map((event) => toEventSelector(event))
/** topic0 of each of {@link POOL_CREATED}. */
export const POOL_CREATED_TOPICS = POOL_CREATED.map((event) => toEventSelector(event))

/** Logs about collected fees and flash loans: none of them changes what a swap pays. */
export const IGNORED_TOPICS = [
  'event Collect(address,address,int24,int24,uint128,uint128)',
  'event CollectProtocol(address,address,uint128,uint128)',
  'event Flash(address,address,uint256,uint256,uint256,uint256)',
  'event SetFeeProtocol(uint8,uint8,uint8,uint8)',
  // PancakeSwap, Ramses and Slipstream.
  'event SetFeeProtocol(uint32,uint32,uint32,uint32)',
  'event SetLmPoolEvent(address)',
  'event SetFeeProtocol(uint8,uint8)',
  'event CollectFees(address,uint128,uint128)',
].map((event) => toEventSelector(event))
