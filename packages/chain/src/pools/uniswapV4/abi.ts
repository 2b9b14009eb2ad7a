import { parseAbi, toEventSelector, toFunctionSelector } from 'viem'

/** `extsload(bytes32[])` of the manager: any slots of its storage. */
export const EXTSLOAD = toFunctionSelector('function extsload(bytes32[])')

/** The manager's logs about a pool, whose id is the first topic; the one that replaces all comes first. */
export const POOL_EVENTS = parseAbi([
  'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)',
  'event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)',
  'event ProtocolFeeUpdated(bytes32 indexed id, uint24 protocolFee)',
])
/** topic0 of each of {@link POOL_EVENTS}. */
export const POOL_TOPICS = POOL_EVENTS.map((event) => toEventSelector(event))

/** The manager's log of a new pool. */
export const INITIALIZE = parseAbi([
  'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
])
/** topic0 of {@link INITIALIZE}. */
export const INITIALIZE_TOPIC = toEventSelector(INITIALIZE[0])

/** A donation to the liquidity in range, which changes no price. */
export const DONATE = toEventSelector('event Donate(bytes32,address,uint256,uint256)')
