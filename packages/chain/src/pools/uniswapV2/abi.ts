import { parseAbiItem, toEventSelector, toFunctionSelector } from 'viem'

/** `getReserves()`: reserve0, reserve1 and a timestamp, a word each. */
export const GET_RESERVES = toFunctionSelector('function getReserves()')
/** `allPairsLength()` of the factory. */
export const ALL_PAIRS_LENGTH = toFunctionSelector('function allPairsLength()')
/** `allPairs(uint256)` of the factory. */
export const ALL_PAIRS = toFunctionSelector('function allPairs(uint256)')

/** `getPair(address,address)` of the factory. */
export const GET_PAIR = toFunctionSelector('function getPair(address,address)')

/** The pair's log of its state. */
export const SYNC = parseAbiItem('event Sync(uint112 reserve0, uint112 reserve1)')
/** The factory's log of a new pair. */
export const PAIR_CREATED = parseAbiItem(
  'event PairCreated(address indexed token0, address indexed token1, address pair, uint256 count)',
)

/** topic0 of {@link SYNC}. */
export const SYNC_TOPIC = toEventSelector(SYNC)
/** topic0 of {@link PAIR_CREATED}. */
export const PAIR_CREATED_TOPIC = toEventSelector(PAIR_CREATED)

/** Logs that accompany a `Sync` or only move liquidity tokens. */
export const IGNORED_TOPICS = [
  'event Mint(address,uint256,uint256)',
  'event Burn(address,uint256,uint256,address)',
  'event Swap(address,uint256,uint256,uint256,uint256,address)',
  'event Transfer(address,address,uint256)',
  'event Approval(address,address,uint256)',
].map((event) => toEventSelector(event))
