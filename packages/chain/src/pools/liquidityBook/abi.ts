import { parseAbi, toEventSelector, toFunctionSelector } from 'viem'

/** `getNumberOfLBPairs()` of a factory. */
export const PAIR_COUNT = toFunctionSelector('function getNumberOfLBPairs()')
/** `getLBPairAtIndex(uint256)` of a factory. */
export const PAIR_AT = toFunctionSelector('function getLBPairAtIndex(uint256)')

/** `getTokenX()` of a pair. */
export const TOKEN_X = toFunctionSelector('function getTokenX()')
/** `getTokenY()` of a pair. */
export const TOKEN_Y = toFunctionSelector('function getTokenY()')
/** `getBinStep()` of a pair: bips of the price from bin to bin. */
export const BIN_STEP = toFunctionSelector('function getBinStep()')
/** `getActiveId()` of a pair: the bin in which a swap starts. */
export const ACTIVE_ID = toFunctionSelector('function getActiveId()')
/** `getBin(uint24)`: the reserves of a bin, token X first. */
export const BIN = toFunctionSelector('function getBin(uint24)')
/** `getNextNonEmptyBin(bool,uint24)`: below the id if true, else above it; 0 or 2²⁴ − 1 for none. */
export const NEXT_BIN = toFunctionSelector('function getNextNonEmptyBin(bool,uint24)')
/** `getStaticFeeParameters()`: seven words, in the order of `StaticFeeParameters`. */
export const STATIC_FEE = toFunctionSelector('function getStaticFeeParameters()')
/** `getVariableFeeParameters()`: accumulator, reference, id of the reference, time of the update. */
export const VARIABLE_FEE = toFunctionSelector('function getVariableFeeParameters()')
/** `getLBHooksParameters()` of version 2.2: flags and the address of the hooks; 0 for none. */
export const HOOKS = toFunctionSelector('function getLBHooksParameters()')
/** `getSwapOut(uint128,bool)`: the input left over, the output and the fee. */
export const SWAP_OUT = toFunctionSelector('function getSwapOut(uint128,bool)')

/** The factory's log of a new pair. */
export const PAIR_CREATED = parseAbi([
  'event LBPairCreated(address indexed tokenX, address indexed tokenY, uint256 indexed binStep, address pair, uint256 pid)',
])
/** topic0 of each of {@link PAIR_CREATED}. */
export const PAIR_CREATED_TOPICS = PAIR_CREATED.map((event) => toEventSelector(event))

/**
 * The pair's logs that determine its next state. Amounts are packed, token X in the low 128 bits. A
 * swap emits one `Swap` for each bin that it takes from.
 */
export const PAIR_EVENTS = parseAbi([
  'event Swap(address indexed sender, address indexed to, uint24 id, bytes32 amountsIn, bytes32 amountsOut, uint24 volatilityAccumulator, bytes32 totalFees, bytes32 protocolFees)',
  'event DepositedToBins(address indexed sender, address indexed to, uint256[] ids, bytes32[] amounts)',
  'event WithdrawnFromBins(address indexed sender, address indexed to, uint256[] ids, bytes32[] amounts)',
])
/** topic0 of each of {@link PAIR_EVENTS}. */
export const PAIR_TOPICS = PAIR_EVENTS.map((event) => toEventSelector(event))

/** Logs of LB tokens, of the oracle and of collected fees: none of them changes what a swap pays. */
export const IGNORED_TOPICS = [
  'event TransferBatch(address,address,address,uint256[],uint256[])',
  'event ApprovalForAll(address,address,bool)',
  'event CollectedProtocolFees(address,bytes32)',
  'event OracleLengthIncreased(address,uint16)',
].map((event) => toEventSelector(event))
