import { toEventSelector, toFunctionSelector } from 'viem'
import type { Numbered } from '../enumerate.js'

/** `metadata()`: both units, both reserves, the stable flag, both tokens; a word each. */
export const METADATA = toFunctionSelector('function metadata()')
/** `fee()` of a Ramses pair, in parts per million. */
export const PAIR_FEE = toFunctionSelector('function fee()')
/**
 * `getFee(address,bool)` of the factory, in basis points; a marker for "no fee" is returned as 0.
 */
export const GET_FEE = toFunctionSelector('function getFee(address,bool)')
/** `isPaused()` of the factory: if true, none of its pairs swaps. */
export const IS_PAUSED = toFunctionSelector('function isPaused()')

/** `getPair(address,address,bool)` of the factory. */
export const GET_PAIR = toFunctionSelector('function getPair(address,address,bool)')
/** The same in Velodrome v2. */
export const GET_POOL = toFunctionSelector('function getPool(address,address,bool)')
/** The factory's list of pairs. */
export const PAIRS: Numbered = {
  length: toFunctionSelector('function allPairsLength()'),
  at: toFunctionSelector('function allPairs(uint256)'),
}
/** The same in Velodrome v2. */
export const POOLS: Numbered = {
  length: toFunctionSelector('function allPoolsLength()'),
  at: toFunctionSelector('function allPools(uint256)'),
}

/** Both forms of `Sync`, with `uint256` and with `uint112`: two words in each. */
export const SYNC_TOPICS = [
  'event Sync(uint256 reserve0, uint256 reserve1)',
  'event Sync(uint112 reserve0, uint112 reserve1)',
].map((event) => toEventSelector(event))

/**
 * The log of a new pair of a Ramses factory, which names no stable flag; `PairFactory` of
 * code-423n4/2024-10-ramses-exchange.
 */
export const CREATION_WITHOUT_FLAG = toEventSelector(
  'event PairCreated(address token0, address token1, address pair, uint256 count)',
)

/** The factories' logs of a new pair; forks differ in whether the stable flag is indexed. */
export const CREATION_TOPICS = [
  'event PairCreated(address token0, address token1, bool stable, address pair, uint256 count)',
  'event PoolCreated(address token0, address token1, bool stable, address pool, uint256 count)',
]
  .map((event) => toEventSelector(event))
  .concat(CREATION_WITHOUT_FLAG)

/** Logs that accompany a `Sync` or only move fees or liquidity tokens. */
export const IGNORED_TOPICS = [
  'event Mint(address,uint256,uint256)',
  'event Burn(address,uint256,uint256,address)',
  'event Burn(address,address,uint256,uint256)',
  'event Swap(address,uint256,uint256,uint256,uint256,address)',
  'event Swap(address,address,uint256,uint256,uint256,uint256)',
  'event Fees(address,uint256,uint256)',
  'event Claim(address,address,uint256,uint256)',
  'event Transfer(address,address,uint256)',
  'event Approval(address,address,uint256)',
].map((event) => toEventSelector(event))
