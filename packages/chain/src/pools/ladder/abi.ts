import { toFunctionSelector } from 'viem'

/** `getPools()` of a factory: its pools' addresses. */
export const GET_POOLS = toFunctionSelector('function getPools()')
/** `getPoolForPair(address,address)` of a factory: the pool of two tokens in any order, or zero. */
export const GET_POOL_FOR_PAIR = toFunctionSelector('function getPoolForPair(address,address)')
/** `getTokens()` of a pool: both, in its own order. */
export const GET_TOKENS = toFunctionSelector('function getTokens()')
/** `balanceOf(address)` of a token: what the pool can pay. */
export const BALANCE_OF = toFunctionSelector('function balanceOf(address)')
/**
 * `estimateSwapBatch(tokenIn, tokenOut, amountsIn)` of a pool: the output for each amount alone.
 */
export const ESTIMATE_SWAP_BATCH = toFunctionSelector(
  'function estimateSwapBatch(address,address,uint256[])',
)
/** `estimateSwap(tokenIn, tokenOut, amountIn)` of a pool: the output for one amount. */
export const ESTIMATE_SWAP = toFunctionSelector('function estimateSwap(address,address,uint256)')
