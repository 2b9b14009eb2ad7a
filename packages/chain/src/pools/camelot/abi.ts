import { parseAbi, toEventSelector, toFunctionSelector } from 'viem'
import { IGNORED_TOPICS as PAIR_LOGS } from '../uniswapV2/abi.js'

/** `getReserves()`: both reserves, then both fees, a word each. */
export const GET_RESERVES = toFunctionSelector('function getReserves()')
/** `FEE_DENOMINATOR()`: 100,000 in a pair of this family. */
export const FEE_DENOMINATOR = toFunctionSelector('function FEE_DENOMINATOR()')
/** `stableSwap()`. */
export const STABLE_SWAP = toFunctionSelector('function stableSwap()')
/** `precisionMultiplier0()` and `precisionMultiplier1()`: 10^decimals. */
export const PRECISION_MULTIPLIERS = [
  toFunctionSelector('function precisionMultiplier0()'),
  toFunctionSelector('function precisionMultiplier1()'),
] as const
/** `feeInfo()` of the factory: the owner's share of the fee and its recipient. */
export const FEE_INFO = toFunctionSelector('function feeInfo()')

/** The pair's logs that change its state. */
export const EVENTS = parseAbi([
  'event Sync(uint112 reserve0, uint112 reserve1)',
  'event FeePercentUpdated(uint16 token0FeePercent, uint16 token1FeePercent)',
  'event SetStableSwap(bool previous, bool next)',
])
/** topic0 of each of {@link EVENTS}. */
export const TOPICS = EVENTS.map((event) => toEventSelector(event))

/** Logs that accompany a `Sync` or do not change what a swap pays. */
export const IGNORED_TOPICS = [
  ...PAIR_LOGS,
  ...['event Skim()', 'event DrainWrongToken(address,address)', 'event SetPairTypeImmutable()'].map(
    (event) => toEventSelector(event),
  ),
]
