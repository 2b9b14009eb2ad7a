import { parseAbi, toEventSelector, toFunctionSelector } from 'viem'

export { GLOBAL_STATE, LIQUIDITY, TICK_TABLE, TICKS } from '../algebraIntegral/abi.js'

/** `dataStorageOperator()`: the contract that stores the timepoints and computes the fee. */
export const DATA_STORAGE_OPERATOR = toFunctionSelector('function dataStorageOperator()')
/** `factory()`. */
export const FACTORY = toFunctionSelector('function factory()')
/** Of a factory of version 1.9; version 1.0 does not have it. */
export const DEFAULT_COMMUNITY_FEE = toFunctionSelector('function defaultCommunityFee()')
/**
 * Of the operator: alpha1, alpha2, beta1, beta2, gamma1, gamma2, volumeBeta, volumeGamma, baseFee.
 */
export const FEE_CONFIG = toFunctionSelector('function feeConfig()')
/** Of the operator: initialized, timestamp, three sums, averageTick, the sum of volume. */
export const TIMEPOINTS = toFunctionSelector('function timepoints(uint256)')

/** The pool's logs that change its state. */
export const POOL_EVENTS = parseAbi([
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 price, uint128 liquidity, int24 tick)',
  'event Fee(uint16 fee)',
  'event Mint(address sender, address indexed owner, int24 indexed bottomTick, int24 indexed topTick, uint128 liquidityAmount, uint256 amount0, uint256 amount1)',
  'event Burn(address indexed owner, int24 indexed bottomTick, int24 indexed topTick, uint128 liquidityAmount, uint256 amount0, uint256 amount1)',
  'event Initialize(uint160 price, int24 tick)',
])

/** topic0 of each of {@link POOL_EVENTS}. */
export const POOL_TOPICS = POOL_EVENTS.map((event) => toEventSelector(event))

/** Logs about collected fees, farming and new positions: none of them changes what a swap pays. */
export const IGNORED_TOPICS = [
  'event Collect(address,address,int24,int24,uint128,uint128)',
  'event CommunityFee(uint8,uint8)',
  'event CommunityFee(uint16,uint16)',
  'event Flash(address,address,uint256,uint256,uint256,uint256)',
  'event Incentive(address)',
  'event LiquidityCooldown(uint32)',
  'event TickSpacing(int24)',
].map((event) => toEventSelector(event))
