import { parseAbi, toEventSelector, toFunctionSelector } from 'viem'

/** `pool_count()` of a factory. */
export const POOL_COUNT = toFunctionSelector('function pool_count()')
/** `pool_list(uint256)` of a factory. */
export const POOL_LIST = toFunctionSelector('function pool_list(uint256)')
/**
 * A new pool of the factories: StableSwap 1.0.0, Twocrypto and Tricrypto 2.0.0 of curvefi/curve-core.
 * Factories of other chains log a new StableSwap pool without its address.
 */
export const POOL_DEPLOYED = parseAbi([
  'event PlainPoolDeployed(address pool, address[] coins, uint256 A, uint256 fee, address deployer)',
  'event MetaPoolDeployed(address pool, address coin, address base_pool, uint256 A, uint256 fee, address deployer)',
  'event TwocryptoPoolDeployed(address pool, string name, string symbol, address[2] coins, address math, bytes32 salt, uint256[2] precisions, uint256 packed_A_gamma, uint256 packed_fee_params, uint256 packed_rebalancing_params, uint256 packed_prices, address deployer)',
  'event TricryptoPoolDeployed(address pool, string name, string symbol, address weth, address[3] coins, address math, bytes32 salt, uint256 packed_precisions, uint256 packed_A_gamma, uint256 packed_fee_params, uint256 packed_rebalancing_params, uint256 packed_prices, address deployer)',
])
/** topic0 of each of {@link POOL_DEPLOYED}. */
export const POOL_DEPLOYED_TOPICS = POOL_DEPLOYED.map((event) => toEventSelector(event))

/** `get_pool_asset_types(address)`: of each coin, 0 for one whose rate and balance only logs change. */
export const ASSET_TYPES = toFunctionSelector('function get_pool_asset_types(address)')
/** `is_meta(address)`: the second coin is another pool's LP token, whose rate moves. */
export const IS_META = toFunctionSelector('function is_meta(address)')
/** `get_base_pool(address)`: the pool whose LP token a meta pool trades, or 0. */
export const BASE_POOL = toFunctionSelector('function get_base_pool(address)')

/** `coins(uint256)` of a pool; it reverts past the last. */
export const COINS = toFunctionSelector('function coins(uint256)')
/** `balances(uint256)` of a pool, without the admin's fees. */
export const BALANCES = toFunctionSelector('function balances(uint256)')
/** `decimals()` of a token. */
export const DECIMALS = toFunctionSelector('function decimals()')
/** `get_dy(int128,int128,uint256)`: the pool's own quote. */
export const GET_DY = toFunctionSelector('function get_dy(int128,int128,uint256)')

/** The getters that every pool has, by name; each returns one word. */
export const OF_POOL = {
  A: toFunctionSelector('function A()'),
  fee: toFunctionSelector('function fee()'),
  admin_fee: toFunctionSelector('function admin_fee()'),
  initial_A: toFunctionSelector('function initial_A()'),
  future_A: toFunctionSelector('function future_A()'),
  initial_A_time: toFunctionSelector('function initial_A_time()'),
  future_A_time: toFunctionSelector('function future_A_time()'),
}
/** `A_precise()`: A times 100. Absent in the first pools, which keep A without decimals. */
export const A_PRECISE = toFunctionSelector('function A_precise()')

/** `get_balances()` of a StableSwap-NG pool: a list. */
export const GET_BALANCES = toFunctionSelector('function get_balances()')
/** `stored_rates()` of a StableSwap-NG pool: a list. */
export const STORED_RATES = toFunctionSelector('function stored_rates()')
/** `offpeg_fee_multiplier()` of a StableSwap-NG pool. */
export const OFFPEG_FEE_MULTIPLIER = toFunctionSelector('function offpeg_fee_multiplier()')

/** A swap: buyer, index and amount of the coin in, index and amount of the coin out. */
export const TOKEN_EXCHANGE = toEventSelector(
  'event TokenExchange(address,int128,uint256,int128,uint256)',
)

/** Logs of the pool as its own LP token. */
export const IGNORED_TOPICS = [
  'event Transfer(address,address,uint256)',
  'event Approval(address,address,uint256)',
].map((event) => toEventSelector(event))
