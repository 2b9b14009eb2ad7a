import { toEventSelector, toFunctionSelector } from 'viem'

/** The getters that every pool has, by name. */
export const OF_POOL = {
  getVault: toFunctionSelector('function getVault()'),
  getPoolId: toFunctionSelector('function getPoolId()'),
  getPausedState: toFunctionSelector('function getPausedState()'),
  inRecoveryMode: toFunctionSelector('function inRecoveryMode()'),
  getSwapFeePercentage: toFunctionSelector('function getSwapFeePercentage()'),
  getScalingFactors: toFunctionSelector('function getScalingFactors()'),
}

/** The getters that only weighted or only composable stable pools have, by name. */
export const OF_FORM = {
  getNormalizedWeights: toFunctionSelector('function getNormalizedWeights()'),
  getAmplificationParameter: toFunctionSelector('function getAmplificationParameter()'),
  getRateProviders: toFunctionSelector('function getRateProviders()'),
}

/** `getTokenRateCache(address)` of a composable stable pool: rate, old rate, duration, expiry. */
export const RATE_CACHE = toFunctionSelector('function getTokenRateCache(address)')
/** `getRate()` of a rate provider. */
export const GET_RATE = toFunctionSelector('function getRate()')

/** The getters of the vault about itself and one pool, by name. */
export const OF_VAULT = {
  getPausedState: toFunctionSelector('function getPausedState()'),
  getPoolTokens: toFunctionSelector('function getPoolTokens(bytes32)'),
  getPoolTokenInfo: toFunctionSelector('function getPoolTokenInfo(bytes32,address)'),
}
/** Swaps that the vault performs, reports and reverts: the pool's own answer without a transfer. */
export const QUERY_SWAP = toFunctionSelector(
  'function queryBatchSwap(uint8,(bytes32,uint256,uint256,uint256,bytes)[],address[],(address,bool,address,bool))',
)

/** The tokens of a new pool, in the vault. */
export const TOKENS_REGISTERED = toEventSelector(
  'event TokensRegistered(bytes32,address[],address[])',
)
/** A swap in the vault: pool id, tokens and amounts. */
export const SWAP = toEventSelector('event Swap(bytes32,address,address,uint256,uint256)')
/** Liquidity added or removed: tokens, deltas, and the protocol's fees, which leave the balances. */
export const POOL_BALANCE_CHANGED = toEventSelector(
  'event PoolBalanceChanged(bytes32,address,address[],int256[],uint256[])',
)
/** An asset manager took tokens of a pool, or brought them back. */
export const POOL_BALANCE_MANAGED = toEventSelector(
  'event PoolBalanceManaged(bytes32,address,address,int256,int256)',
)
/** Tokens that a pool no longer has. */
export const TOKENS_DEREGISTERED = toEventSelector('event TokensDeregistered(bytes32,address[])')
/** The vault, or a pool, is paused, or no longer. */
export const PAUSED = toEventSelector('event PausedStateChanged(bool)')
/** A new swap fee, by the pool itself. */
export const SWAP_FEE_CHANGED = toEventSelector('event SwapFeePercentageChanged(uint256)')

/**
 * Logs of the pool as its own share token, and of the protocol's part of the fees, which is taken in
 * shares when liquidity is added or removed.
 */
export const IGNORED_TOPICS = [
  'event Transfer(address,address,uint256)',
  'event Approval(address,address,uint256)',
  'event ProtocolFeePercentageCacheUpdated(uint256,uint256)',
].map((event) => toEventSelector(event))
