import { toEventSelector, toFunctionSelector } from 'viem'

/** The getters of the vault about itself, by name. */
export const OF_VAULT = {
  getMinimumTradeAmount: toFunctionSelector('function getMinimumTradeAmount()'),
  getVaultPausedState: toFunctionSelector('function getVaultPausedState()'),
}

/** The getters of the vault about one pool, by name. */
export const ABOUT_POOL = {
  getPoolConfig: toFunctionSelector('function getPoolConfig(address)'),
  getHooksConfig: toFunctionSelector('function getHooksConfig(address)'),
  isPoolPaused: toFunctionSelector('function isPoolPaused(address)'),
  getPoolData: toFunctionSelector('function getPoolData(address)'),
}

/** `getVault()` of a pool. */
export const GET_VAULT = toFunctionSelector('function getVault()')
/** `getWeightedPoolImmutableData()` of a weighted pool: tokens, scaling factors, weights and, if newer, least balances. */
export const WEIGHTED_DATA = toFunctionSelector('function getWeightedPoolImmutableData()')
/** `getAmplificationState()` of a stable pool: two values, their times, and the precision. */
export const AMP_STATE = toFunctionSelector('function getAmplificationState()')
/** `getAmplificationParameter()` of a stable pool: the current value. */
export const AMP_PARAMETER = toFunctionSelector('function getAmplificationParameter()')
/** `getECLPParams()` of a Gyro E-CLP: five parameters and nine derived from them. */
export const ECLP_PARAMS = toFunctionSelector('function getECLPParams()')
/** `onSwap` of a pool: the formula alone, in the common unit of 18 decimals. */
export const ON_SWAP = toFunctionSelector(
  'function onSwap((uint8,uint256,uint256[],uint256,uint256,address,bytes))',
)

/** A new pool of the vault, with its tokens, fee, roles and hooks. */
export const POOL_REGISTERED = toEventSelector(
  'event PoolRegistered(address,address,(address,uint8,address,bool)[],uint256,uint32,(address,address,address),(bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,address),(bool,bool,bool,bool))',
)
/** A swap: pool, tokens, amounts, the fee percentage and the fee. */
export const SWAP = toEventSelector(
  'event Swap(address,address,address,uint256,uint256,uint256,uint256)',
)
/** A new static swap fee of a pool. */
export const SWAP_FEE_CHANGED = toEventSelector('event SwapFeePercentageChanged(address,uint256)')
/** The whole vault is paused, or no longer. */
export const VAULT_PAUSED = toEventSelector('event VaultPausedStateChanged(bool)')
/** All buffers of the vault are paused, or no longer. */
export const BUFFERS_PAUSED = toEventSelector('event VaultBuffersPausedStateChanged(bool)')

/** Logs of the pool as its own LP token. */
export const IGNORED_TOPICS = [
  'event Transfer(address,address,uint256)',
  'event Approval(address,address,uint256)',
].map((event) => toEventSelector(event))
