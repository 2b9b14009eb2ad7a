import { parseAbi, toEventSelector, toFunctionSelector } from 'viem'

/** `globalState()`: price, tick, lastFee and pluginConfig are its first four words. */
export const GLOBAL_STATE = toFunctionSelector('function globalState()')
/** `liquidity()` in range. */
export const LIQUIDITY = toFunctionSelector('function liquidity()')
/** `getReserves()`: both reserves as the pool counts them, uncollected fees included. */
export const GET_RESERVES = toFunctionSelector('function getReserves()')
/** `plugin()`: the contract whose hooks the pool calls; pluginConfig selects the hooks. */
export const PLUGIN = toFunctionSelector('function plugin()')
/** `tickTreeRoot()`: one bit per word of the second layer; set if the word is not 0. */
export const TICK_TREE_ROOT = toFunctionSelector('function tickTreeRoot()')
/** `tickTreeSecondLayer(int16)`: one bit per leaf; set if the leaf is not 0. */
export const TICK_TREE_SECOND_LAYER = toFunctionSelector('function tickTreeSecondLayer(int16)')
/** `tickTable(int16)`: a leaf, one bit per tick; set if the tick is initialised. */
export const TICK_TABLE = toFunctionSelector('function tickTable(int16)')
/** `ticks(int24)`: liquidityDelta is its second word. */
export const TICKS = toFunctionSelector('function ticks(int24)')

/** Of the plugin: the hooks that the pool should call. */
export const DEFAULT_PLUGIN_CONFIG = toFunctionSelector('function defaultPluginConfig()')
/** Of the plugin: whether it has a first timepoint. */
export const IS_INITIALIZED = toFunctionSelector('function isInitialized()')
/** Of the plugin: alpha1, alpha2, beta1, beta2, gamma1, gamma2, baseFee. */
export const FEE_CONFIG = toFunctionSelector('function feeConfig()')
/** Of the plugin: the index of the newest timepoint. */
export const TIMEPOINT_INDEX = toFunctionSelector('function timepointIndex()')
/** Of the plugin: initialized, timestamp, two sums, tick, averageTick, windowStartIndex. */
export const TIMEPOINTS = toFunctionSelector('function timepoints(uint256)')

/** Of a plugin with a sliding fee: the factors of both directions, X96. */
export const FEE_FACTORS = toFunctionSelector('function s_feeFactors()')
/** Of such a plugin: the fee in ppm at factors of 1. */
export const BASE_FEE = toFunctionSelector('function s_baseFee()')
/** Of such a plugin: thousandths of a price move by which the factors move. */
export const PRICE_CHANGE_FACTOR = toFunctionSelector('function s_priceChangeFactor()')

/** Of a Reflex plugin, which trades on other pools after a swap: the contract that does so, and whether. */
export const REFLEX = ['getRouter()', 'reflexEnabled()'].map((name) =>
  toFunctionSelector(`function ${name}`),
)

/** `poolByPair(address,address)` of the factory. */
export const POOL_BY_PAIR = toFunctionSelector('function poolByPair(address,address)')

const SWAP =
  'address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 price, uint128 liquidity, int24 tick'
const BURN =
  'address indexed owner, int24 indexed bottomTick, int24 indexed topTick, uint128 liquidityAmount, uint256 amount0, uint256 amount1'

/** The pool's logs that change its state, in the formats of 1.0, 1.1, 1.2.0 and since 1.2.1. */
export const POOL_EVENTS = parseAbi([
  `event Swap(${SWAP})`,
  `event Swap(${SWAP}, uint24 overrideFee, uint24 pluginFee)`,
  'event SwapFee(address indexed sender, uint24 overrideFee, uint24 pluginFee)',
  'event Fee(uint16 fee)',
  'event Mint(address sender, address indexed owner, int24 indexed bottomTick, int24 indexed topTick, uint128 liquidityAmount, uint256 amount0, uint256 amount1)',
  `event Burn(${BURN})`,
  `event Burn(${BURN}, uint24 pluginFee)`,
  'event Initialize(uint160 price, int24 tick)',
  'event Plugin(address newPluginAddress)',
  'event PluginConfig(uint8 newPluginConfig)',
])

/** The factory's logs of a new pool: a regular one, and one of a custom deployer. */
export const POOL_CREATED = parseAbi([
  'event Pool(address indexed token0, address indexed token1, address pool)',
  'event CustomPool(address indexed deployer, address indexed token0, address indexed token1, address pool)',
])

/** topic0 of each of {@link POOL_EVENTS}. */
export const POOL_TOPICS = POOL_EVENTS.map((event) => toEventSelector(event))
/** topic0 of each of {@link POOL_CREATED}. */
export const POOL_CREATED_TOPICS = POOL_CREATED.map((event) => toEventSelector(event))

/** Logs about collected fees, reserves and new positions: none of them changes what a swap pays. */
export const IGNORED_TOPICS = [
  'event BurnFee(address,uint24)',
  'event Collect(address,address,int24,int24,uint128,uint128)',
  'event CommunityFee(uint16)',
  'event CommunityVault(address)',
  'event ExcessTokens(uint256,uint256)',
  'event Flash(address,address,uint256,uint256,uint256,uint256)',
  'event Skim(address,uint256,uint256)',
  'event TickSpacing(int24)',
].map((event) => toEventSelector(event))
