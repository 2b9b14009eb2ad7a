import { parseAbi, toEventSelector, toFunctionSelector } from 'viem'

/** `slot0()`: sqrtPriceX96 and tick are its first two words. */
export const SLOT0 = toFunctionSelector('function slot0()')
/** `liquidity()` in range. */
export const LIQUIDITY = toFunctionSelector('function liquidity()')
/** `fee()`, parts per million. */
export const FEE = toFunctionSelector('function fee()')
/** `tickSpacing()`. */
export const TICK_SPACING = toFunctionSelector('function tickSpacing()')
/** `tickBitmap(int16)`: which of 256 ticks, compressed by the spacing, are initialised. */
export const TICK_BITMAP = toFunctionSelector('function tickBitmap(int16)')
/** `ticks(int24)`: liquidityNet is its second word. */
export const TICKS = toFunctionSelector('function ticks(int24)')

/** `getPool(address,address,uint24)` of the factory. */
export const GET_POOL = toFunctionSelector('function getPool(address,address,uint24)')

/** The pool's logs that tell its state. */
export const POOL_EVENTS = parseAbi([
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  'event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'event Initialize(uint160 sqrtPriceX96, int24 tick)',
])
/** The factory's log of a new pool. */
export const POOL_CREATED = parseAbi([
  'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
])

/** topic0 of each of {@link POOL_EVENTS}. */
export const POOL_TOPICS = POOL_EVENTS.map((event) => toEventSelector(event))
/** topic0 of {@link POOL_CREATED}. */
export const POOL_CREATED_TOPIC = toEventSelector(POOL_CREATED[0])

/** Logs about fees owed, flash loans and the oracle: none of them changes what a swap pays. */
export const IGNORED_TOPICS = [
  'event Collect(address,address,int24,int24,uint128,uint128)',
  'event CollectProtocol(address,address,uint128,uint128)',
  'event Flash(address,address,uint256,uint256,uint256,uint256)',
  'event IncreaseObservationCardinalityNext(uint16,uint16)',
  'event SetFeeProtocol(uint8,uint8,uint8,uint8)',
].map((event) => toEventSelector(event))
