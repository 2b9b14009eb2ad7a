import { type Address, BaseError, type Hex } from '@braid-swap/core'
import type { RpcLog } from 'viem'
import { isRefusal } from './answers.js'
import type { Client } from './client.js'
import type { Header } from './headers.js'
import type { Log } from './pools/loader.js'

/** Which logs: of any of the addresses, and where topics are given, with any of them first. */
export type LogFilter = {
  readonly addresses: readonly Address[]
  readonly topics?: readonly Hex[]
}

/** Blocks asked for at once to begin with; halved when refused, doubled when answered. */
const SPAN = 1000n
/** Addresses in one filter. */
const ADDRESSES = 1000

/**
 * Logs of a range of blocks, in order. A range the node refuses (too many blocks, too large an
 * answer) is halved down to a single block; the error of a single block is thrown as it came.
 */
export async function readLogRange(
  client: Client,
  range: LogFilter & { readonly fromBlock: bigint; readonly toBlock: bigint },
): Promise<readonly Log[]> {
  const logs: Log[] = []
  let span = SPAN
  let ceiling: bigint | undefined
  let from = range.fromBlock
  while (from <= range.toBlock) {
    const to = min(from + span - 1n, range.toBlock)
    try {
      logs.push(...(await readLogs(client, range, { fromBlock: hex(from), toBlock: hex(to) })))
      from = to + 1n
      if (ceiling === undefined || span * 2n < ceiling) span *= 2n
    } catch (error) {
      if (!isRefusal(error) || to === from) throw error
      ceiling = to - from + 1n
      span = ceiling / 2n
    }
  }
  return logs
}

/** Newest blocks asked for one by one, by hash. */
const BY_HASH = 16

/** Consecutive blocks: the headers are those of the newest, up to the last. */
export type Stretch = { readonly fromBlock: bigint; readonly headers: readonly Header[] }

/**
 * Logs of exactly these blocks. The newest are asked for by hash, because an endpoint that lags
 * would answer a range without them and say nothing; older ones by range. Throws a MixedLogsError if
 * a log belongs to another block.
 */
export async function readLogsOf(
  client: Client,
  { fromBlock, headers }: Stretch,
  filter: LogFilter,
): Promise<readonly Log[]> {
  const newest = headers.slice(-BY_HASH)
  const toBlock = newest[0]!.number - 1n
  const parts = await Promise.all([
    fromBlock <= toBlock ? readLogRange(client, { ...filter, fromBlock, toBlock }) : [],
    ...newest.map(({ hash }) => readLogs(client, filter, { blockHash: hash })),
  ])
  const logs = parts.flat()
  checkBlocks(logs, { fromBlock, headers })
  return logs
}

// Blocks without a header here must at least be of one mind about their own hash.
function checkBlocks(logs: readonly Log[], { fromBlock, headers }: Stretch): void {
  const hashes = new Map(headers.map(({ number, hash }) => [number, hash]))
  const firstKnown = headers[0]!.number
  for (const log of logs) {
    const { blockNumber, blockHash } = log
    if (blockNumber >= fromBlock && blockNumber < firstKnown && !hashes.has(blockNumber)) {
      hashes.set(blockNumber, blockHash)
    }
    if (hashes.get(blockNumber) !== blockHash) throw new MixedLogsError(log)
  }
}

type Where = { readonly blockHash: Hex } | { readonly fromBlock: Hex; readonly toBlock: Hex }

async function readLogs(
  client: Client,
  { addresses, topics }: LogFilter,
  where: Where,
): Promise<readonly Log[]> {
  const logs: Log[] = []
  for (let i = 0; i < addresses.length; i += ADDRESSES) {
    const filter = {
      address: addresses.slice(i, i + ADDRESSES),
      ...(topics && { topics: [[...topics]] }),
      ...where,
    }
    const answer = await client.request({ method: 'eth_getLogs', params: [filter] })
    const wanted = new Set<string>(filter.address)
    logs.push(...answer.map(toLog).filter((log) => wanted.has(log.address)))
  }
  return logs.sort((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex)
}

function toLog(log: RpcLog): Log {
  if (log.blockNumber === null || log.blockHash === null || log.logIndex === null || log.removed) {
    throw new MixedLogsError({ blockNumber: -1n, blockHash: '0x' })
  }
  return {
    address: log.address.toLowerCase() as Address,
    topics: log.topics,
    data: log.data,
    blockNumber: BigInt(log.blockNumber),
    blockHash: log.blockHash,
    logIndex: Number(log.logIndex),
  }
}

function hex(value: bigint): Hex {
  return `0x${value.toString(16)}`
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** The node answered with logs of another block or another fork than was asked for. */
export class MixedLogsError extends BaseError {
  readonly code = 'LOGS_MIXED'

  constructor({ blockNumber, blockHash }: Pick<Log, 'blockNumber' | 'blockHash'>) {
    super(`a log of block ${blockNumber} ${blockHash} does not belong to the blocks asked for`, {
      blockNumber: `${blockNumber}`,
      blockHash,
    })
  }
}
