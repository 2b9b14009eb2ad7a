import { toFunctionSelector } from 'viem'

/** `pool()` of the exchange and of its fee module: the sovereign pool. */
export const POOL = toFunctionSelector('function pool()')
/** `token0()` of a pool: the staked token. */
export const TOKEN0 = toFunctionSelector('function token0()')
/** `token1()` of a pool: the wrapped native token. */
export const TOKEN1 = toFunctionSelector('function token1()')

/** The getters read first from the pool, by name; each returns words. */
export const OF_POOL = {
  alm: toFunctionSelector('function alm()'),
  swapFeeModule: toFunctionSelector('function swapFeeModule()'),
  sovereignVault: toFunctionSelector('function sovereignVault()'),
  verifierModule: toFunctionSelector('function verifierModule()'),
  sovereignOracleModule: toFunctionSelector('function sovereignOracleModule()'),
  poolManagerFeeBips: toFunctionSelector('function poolManagerFeeBips()'),
  getReserves: toFunctionSelector('function getReserves()'),
}

/** `paused()` of the exchange; if true, it quotes nothing. */
export const PAUSED = toFunctionSelector('function paused()')
/** `withdrawalModule()` of the exchange. */
export const WITHDRAWAL_MODULE = toFunctionSelector('function withdrawalModule()')

/** `feeParams()` of a ratio fee: both threshold ratios and both fees. */
export const FEE_PARAMS = toFunctionSelector('function feeParams()')
/** `minThresholdToken1()` of a step fee. */
export const MIN_THRESHOLD = toFunctionSelector('function minThresholdToken1()')
/** `maxThresholdToken1()` of a step fee. */
export const MAX_THRESHOLD = toFunctionSelector('function maxThresholdToken1()')
/** `getToken0FeeInBips()` of a step fee: the list of fees. */
export const FEE_STEPS = toFunctionSelector('function getToken0FeeInBips()')
/** `getSwapFeeInBips(tokenIn, tokenOut, amountIn, user, context)` of a fee module. */
export const SWAP_FEE = toFunctionSelector(
  'function getSwapFeeInBips(address,address,uint256,address,bytes)',
)

/** The getters read from the withdrawal module, by name; each returns one word. */
export const OF_WITHDRAWALS = {
  amountToken0PendingUnstaking: toFunctionSelector('function amountToken0PendingUnstaking()'),
  amountToken1PendingLPWithdrawal: toFunctionSelector('function amountToken1PendingLPWithdrawal()'),
  amountToken1LendingPool: toFunctionSelector('function amountToken1LendingPool()'),
}
/** `convertToToken0(uint256)`: token 0 for token 1. */
export const CONVERT_TO_TOKEN0 = toFunctionSelector('function convertToToken0(uint256)')
/** `convertToToken1(uint256)`: token 1 for token 0. */
export const CONVERT_TO_TOKEN1 = toFunctionSelector('function convertToToken1(uint256)')

/**
 * `token0AbsErrorTolerance()` of a pool: most wei by which a transfer of a rebasing token may
 * differ.
 */
export const TOLERANCE = toFunctionSelector('function token0AbsErrorTolerance()')
