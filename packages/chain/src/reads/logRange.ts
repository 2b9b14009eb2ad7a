// Reads logs by block range with an adaptive range: halved when the node refuses, doubled when it
// answers. Nodes limit ranges and answer sizes differently and rarely announce the limit. A block that
// the node refuses for seconds is skipped: some blocks are missing for ever.

import { type Address, BaseError, type Hex } from '@braid-swap/core'
import type { RpcLog } from 'viem'
import { type Client, logRangeOf } from '../transport/client.js'
import { memoryOf } from '../transport/memory.js'
import { isRefusal, isTooLarge } from '../transport/rpcErrors.js'
import type { Log } from './log.js'
import { steadyMs } from './steadyClock.js'

/**
 * Which logs: of any of the addresses; with `topics`, only those whose first topic is among them.
 */
export type LogFilter = {
  /** Absent: every address. */
  readonly addresses?: readonly Address[]
  readonly topics?: readonly Hex[]
}

/** Initial range in blocks. */
const SPAN = 1000n
/** Addresses in one filter. */
const ADDRESSES = 1000
/** Answers after which the refused range is tried again: it may have contained many logs. */
const PATIENCE = 64

/** The current range, the smallest refused one, answers since, and the largest range to request. */
type Span = { size: bigint; ceiling: bigint | undefined; answers: number; readonly most: bigint }

/** Upper limit of any range, in blocks. */
const LONGEST = 1_000_000

const noSpan = (): { known?: Span } => ({})

/** Refusals cost requests, so the learned range is kept with the client. */
function spanOf(client: Client): Span {
  const most = BigInt(Math.min(logRangeOf(client), LONGEST))
  const span = memoryOf(client, noSpan)
  span.known ??= { size: min(SPAN, most), ceiling: undefined, answers: 0, most }
  return span.known
}

/** A block that the node refuses for this long is skipped. */
const SKIP_AFTER_MS = 5_000

/** By block, when the node first refused it. */
const noRefusals = () => new Map<bigint, number>()

function isRefusedForLong(client: Client, block: bigint): boolean {
  const since = memoryOf(client, noRefusals)
  const first = since.get(block) ?? steadyMs()
  since.set(block, first)
  return steadyMs() - first >= SKIP_AFTER_MS
}

/**
 * Logs of a range of blocks, in order, and the blocks skipped. A range that the node refuses (too many
 * blocks, or too large an answer) is halved, down to a single block. The error for a single block is
 * thrown unchanged; if the node goes on refusing the block for 5 s, it is skipped.
 */
export async function readLogRange(
  client: Client,
  range: LogFilter & { readonly fromBlock: bigint; readonly toBlock: bigint },
): Promise<{ readonly logs: readonly Log[]; readonly skipped: readonly bigint[] }> {
  const logs: Log[] = []
  const skipped: bigint[] = []
  const span = spanOf(client)
  const { size, ceiling } = span
  let from = range.fromBlock
  while (from <= range.toBlock) {
    const to = min(from + span.size - 1n, range.toBlock)
    try {
      logs.push(...(await readLogs(client, range, { fromBlock: hex(from), toBlock: hex(to) })))
      // Only a full range proves that its length passes.
      if (to - from + 1n === span.size) lengthen(span)
      from = to + 1n
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (to === from) {
        // The block itself is missing, which says nothing about the length of a range.
        Object.assign(span, { size, ceiling })
        if (!isRefusedForLong(client, from)) throw error
        skipped.push(from)
        from += 1n
        continue
      }
      span.ceiling = to - from + 1n
      span.size = span.ceiling / 2n
      span.answers = 0
    }
  }
  return { logs, skipped }
}

function lengthen(span: Span): void {
  span.answers += 1
  if (span.answers > PATIENCE) {
    span.ceiling = undefined
    span.answers = 0
  }
  const longer = min(span.size * 2n, span.most)
  if (span.ceiling === undefined || longer < span.ceiling) span.size = longer
}

/** Which blocks, with their ends. */
type Where = { readonly fromBlock: Hex; readonly toBlock: Hex }

/** Logs of a range short enough for one request, in order. */
export async function readLogs(
  client: Client,
  { addresses, topics }: LogFilter,
  where: Where,
): Promise<readonly Log[]> {
  const logs: Log[] = []
  for (let i = 0; i < (addresses?.length ?? 1); i += ADDRESSES) {
    const chunk = addresses?.slice(i, i + ADDRESSES)
    const filter = { ...(topics && { topics: [[...topics]] }), ...where }
    logs.push(...(await readChunk(client, filter, chunk)))
  }
  return logs.sort((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex)
}

/** If the answer for a single block is too large, halves the list of addresses instead. */
async function readChunk(
  client: Client,
  filter: { readonly topics?: Hex[][] } & Where,
  addresses: readonly Address[] | undefined,
): Promise<readonly Log[]> {
  try {
    const params: [typeof filter & { address?: Address[] }] = [
      { ...(addresses && { address: [...addresses] }), ...filter },
    ]
    const answer = await client.request({ method: 'eth_getLogs', params })
    const wanted = addresses && new Set<string>(addresses)
    return answer.map(toLog).filter(({ address }) => wanted?.has(address) ?? true)
  } catch (error) {
    const isOneBlock = filter.fromBlock === filter.toBlock
    if (!addresses || addresses.length < 2 || !isOneBlock || !isTooLarge(error)) throw error
    const half = Math.ceil(addresses.length / 2)
    return [
      ...(await readChunk(client, filter, addresses.slice(0, half))),
      ...(await readChunk(client, filter, addresses.slice(half))),
    ]
  }
}

/** A log of the node; throws a MixedLogsError if it is of no block yet. */
export function toLog(log: RpcLog): Log {
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
    ...(log.blockTimestamp != null && { timestamp: BigInt(log.blockTimestamp) }),
  }
}

function hex(value: bigint): Hex {
  return `0x${value.toString(16)}`
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** The node answered with logs of another block or another fork than requested. */
export class MixedLogsError extends BaseError {
  readonly code = 'LOGS_MIXED'

  constructor({ blockNumber, blockHash }: Pick<Log, 'blockNumber' | 'blockHash'>) {
    super(`a log of block ${blockNumber} ${blockHash} is not from the requested blocks`, {
      blockNumber: `${blockNumber}`,
      blockHash,
    })
  }
}
