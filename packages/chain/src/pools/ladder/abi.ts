import { toFunctionSelector } from 'viem'

/** `getPools()` of a factory: its pools' addresses. */
export const GET_POOLS = toFunctionSelector('function getPools()')
/** `getTokens()` of a pool: both, in its own order. */
export const GET_TOKENS = toFunctionSelector('function getTokens()')
/** `getReserves()` of a pool, a word each. */
export const GET_RESERVES = toFunctionSelector('function getReserves()')
/**
 * `estimateSwapBatch(tokenIn, tokenOut, amountsIn)` of a pool: the output for each amount alone.
 */
export const ESTIMATE_SWAP_BATCH = toFunctionSelector(
  'function estimateSwapBatch(address,address,uint256[])',
)
