// The behaviour of HyperEVM's endpoints as public records describe it, one property for each trait.
/** The traits of a node. All of them can change while it runs. */
export type Quirks = {
  /** JSON-RPC requests that it answers in a minute. */
  readonly requestsPerMinute: number
  /** The answer above the limit, with 429: text, or a JSON-RPC error. */
  readonly limitAnswer: 'text' | 'json'
  /** The header of a 429, in seconds. */
  readonly retryAfter?: string
  /** Requests in a batch; 0 refuses every batch. */
  readonly batchSize: number
  /** Blocks between the first and the last of one `eth_getLogs`. */
  readonly logRange: number
  /** Logs in one answer. */
  readonly logResults: number
  /** Bytes of one answer; blocks have no limit. */
  readonly answerBytes: number
  /** Newest blocks that it keeps. */
  readonly keptBlocks: number
  /** The state at a block parameter: that block's, the newest one without an error, or an error. */
  readonly pastState: 'pinned' | 'latest' | 'refused'
  readonly overrides: 'honoured' | 'ignored' | 'refused'
  /** The most gas of a call. */
  readonly callGas: number
  /** A call with more gas is run with less, or refused. */
  readonly moreGas: 'clamped' | 'refused'
  readonly methods: 'all' | 'official'
  /** The least and the most milliseconds before an answer. */
  readonly latencyMs: readonly [least: number, most: number]
  /** Backends that take turns at random; all but the first are behind. */
  readonly backends: number
  readonly blocksBehind: number
  /**
   * Probability that a block is null, that a header is not found, that a connection is cut, and that an answer is not
   * JSON or ends in its middle. A node that cuts all connections is dead.
   */
  readonly nullChance: number
  readonly notFoundChance: number
  readonly cutChance: number
  readonly brokenChance: number
  /** This block is null for ever, and logs of a range with it are refused. */
  readonly nullBlock?: number
  /** Every so many blocks two system logs come first in a block, and are not in its bloom. */
  readonly systemLogsEvery: number
  /** Every so many blocks one is a big block. */
  readonly bigBlockEvery: number
  readonly baseFee: 'own' | 'still' | 'moving'
  /** From this block on 57 are full, and raise a still base fee to 82 gwei; the others are empty, down to 7 wei. */
  readonly spikeAt?: number
  /** For so many milliseconds after a block appears, it has only the first half of its logs. */
  readonly lateLogsMs: number
  /** Every so many blocks one lacks the second half of its logs for ever. */
  readonly shortBlockEvery: number
  /** Every so many blocks one has the logs of the block before under its own hash. */
  readonly siblingLogsEvery: number
}

/** A node without a quirk; 0 of a number of blocks means never. */
export const noQuirks: Quirks = {
  ...{ requestsPerMinute: Infinity, limitAnswer: 'text', batchSize: Infinity },
  ...{ logRange: Infinity, logResults: Infinity, answerBytes: Infinity, keptBlocks: Infinity },
  ...{ pastState: 'pinned', overrides: 'honoured', callGas: Infinity, moreGas: 'clamped' },
  ...{ methods: 'all', latencyMs: [0, 0] },
  ...{ backends: 1, blocksBehind: 1, nullChance: 0, notFoundChance: 0, cutChance: 0 },
  ...{ brokenChance: 0, systemLogsEvery: 0, bigBlockEvery: 0, baseFee: 'own' },
  ...{ lateLogsMs: 0, shortBlockEvery: 0, siblingLogsEvery: 0 },
}

const FOURTEEN_DAYS = 1_210_000
const ONE_MIB = 1_048_576
const BIG_BLOCK_EVERY = 60

/** The official endpoint, without its 100 requests a minute. */
export const unlimited: Partial<Quirks> = {
  ...{ logRange: 1_000, answerBytes: ONE_MIB, keptBlocks: FOURTEEN_DAYS },
  ...{ pastState: 'latest', overrides: 'ignored', methods: 'official', latencyMs: [30, 250] },
  ...{ baseFee: 'still', bigBlockEvery: BIG_BLOCK_EVERY },
}

/** `rpc.hyperliquid.xyz/evm` as it is. */
export const official: Partial<Quirks> = {
  ...unlimited,
  ...{ requestsPerMinute: 100, limitAnswer: 'json' },
}

/** A provider's nanoreth. */
export const nanoreth: Partial<Quirks> = {
  ...{ logRange: 10_000, logResults: 20_000, callGas: 50_000_000, latencyMs: [30, 120] },
  ...{ systemLogsEvery: 3, baseFee: 'still', bigBlockEvery: BIG_BLOCK_EVERY },
}

/** Everything bad that one endpoint may have at once. */
export const nasty: Partial<Quirks> = {
  ...{ requestsPerMinute: 100, batchSize: 0, logRange: 50, answerBytes: ONE_MIB },
  ...{ pastState: 'latest', overrides: 'refused', callGas: 10_000_000, moreGas: 'refused' },
  ...{ methods: 'official', latencyMs: [30, 800], backends: 2, nullChance: 0.05 },
  ...{ notFoundChance: 0.05, systemLogsEvery: 2, baseFee: 'moving', bigBlockEvery: 60 },
}

/** The methods of the official endpoint. */
export const OFFICIAL_METHODS: ReadonlySet<string> = new Set([
  ...['net_version', 'web3_clientVersion', 'eth_chainId', 'eth_syncing'],
  ...['eth_blockNumber', 'eth_getBlockByHash', 'eth_getBlockByNumber', 'eth_getBlockReceipts'],
  ...['eth_getBlockTransactionCountByHash', 'eth_getBlockTransactionCountByNumber'],
  ...['eth_call', 'eth_estimateGas', 'eth_getLogs', 'eth_getCode', 'eth_getStorageAt'],
  ...['eth_getBalance', 'eth_getTransactionCount', 'eth_sendRawTransaction'],
  ...['eth_feeHistory', 'eth_gasPrice', 'eth_maxPriorityFeePerGas'],
  ...['eth_getTransactionByHash', 'eth_getTransactionReceipt'],
  ...['eth_getTransactionByBlockHashAndIndex', 'eth_getTransactionByBlockNumberAndIndex'],
  ...['eth_bigBlockGasPrice', 'eth_usingBigBlocks'],
  ...['eth_getSystemTxsByBlockHash', 'eth_getSystemTxsByBlockNumber'],
])
