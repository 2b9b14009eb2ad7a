// Reads the logs of known blocks and verifies that none is missing, by the bloom filter of each
// header. A replica that lags returns fewer logs without an error, and quotes would then be wrong.

import { isDeepStrictEqual } from 'node:util'
import { type Address, BaseError } from '@braid-swap/core'
import type { Client } from '../transport/client.js'
import { isRefusal, isTooLarge } from '../transport/rpcErrors.js'
import type { Header } from './headers.js'
import type { Log } from './log.js'
import { MixedLogsError, readLogRange, readLogs } from './logRange.js'
import { bloomOf } from './logsBloom.js'

/**
 * Consecutive blocks from `fromBlock` to the last header; `headers` are those of the newest ones.
 */
export type Stretch = { readonly fromBlock: bigint; readonly headers: readonly Header[] }

/**
 * Logs of exactly these blocks and addresses, in order. Throws a MixedLogsError if a log belongs to
 * another block, a MissingLogsError if the logs of a block do not match its bloom filter.
 *
 * An endpoint that lags omits the newest blocks of a range without an error. Therefore all logs of
 * the blocks with headers are read, of every address, in one request, and compared with the bloom
 * filters. A block that does not match is read again by its hash, which an endpoint either knows or
 * refuses, and is compared again. A request for all addresses is also smaller: the addresses of
 * thousands of pools take more bytes than the logs of a block.
 */
export async function readLogsOf(
  client: Client,
  { fromBlock, headers }: Stretch,
  addresses: readonly Address[],
): Promise<readonly Log[]> {
  const toBlock = headers[0]!.number - 1n
  const [older, newer] = await Promise.all([
    fromBlock <= toBlock ? readLogRange(client, { addresses, fromBlock, toBlock }) : [],
    readBlocks(client, headers, new Set(addresses)),
  ])
  const logs = [...older, ...newer]
  checkBlocks(logs, { fromBlock, headers })
  return logs
}

/** Per client, consecutive blocks whose logs could not be verified. */
const unproven = new WeakMap<Client, number>()
/** After this many in a row the node's bloom filters are considered unusable and are ignored. */
const UNPROVEN = 8
/** Reads of a block by its hash before its logs count as missing. */
const ASKED = 2

async function readBlocks(
  client: Client,
  headers: readonly Header[],
  addresses: ReadonlySet<Address>,
): Promise<readonly Log[]> {
  const all = await readAll(client, headers)
  const parts = await Promise.all(
    headers.map(async (header) => {
      const ofBlock = all?.filter(({ blockNumber }) => blockNumber === header.number)
      const logs = ofBlock && (await proved(client, header, ofBlock))
      if (logs) return logs.filter(({ address }) => addresses.has(address))
      return readLogs(client, { addresses: [...addresses] }, { blockHash: header.hash })
    }),
  )
  return parts.flat()
}

/**
 * All logs of a block, starting from the candidate list `first`. Accepts a list that matches the
 * bloom filter, or two equal non-empty answers that do not. An empty list never satisfies a filter
 * that is not empty: it may belong to an earlier, empty block. Returns `undefined` if the block has
 * too many logs for one answer. Throws a MissingLogsError after two reads by hash.
 */
async function proved(
  client: Client,
  header: Header,
  first: readonly Log[],
): Promise<readonly Log[] | undefined> {
  let last = first
  for (let asked = 0; !isComplete(header, last); asked++) {
    if (asked === ASKED) {
      unproven.set(client, (unproven.get(client) ?? 0) + 1)
      throw new MissingLogsError(header)
    }
    try {
      const next = await readLogs(client, {}, { blockHash: header.hash })
      if (next.length > 0 && isDeepStrictEqual(next, last)) {
        unproven.set(client, (unproven.get(client) ?? 0) + 1)
        return next
      }
      last = next
    } catch (error) {
      if (isRefusal(error) && isTooLarge(error)) return undefined
      throw error
    }
  }
  if (last.length > 0) unproven.delete(client)
  return last
}

/** Every log of the blocks; undefined if the node refuses, or if bloom filters are unusable. */
async function readAll(
  client: Client,
  headers: readonly Header[],
): Promise<readonly Log[] | undefined> {
  if ((unproven.get(client) ?? 0) >= UNPROVEN) return undefined
  if (headers.some(({ logsBloom }) => logsBloom === undefined)) return undefined
  const [fromBlock, toBlock] = [headers[0]!.number, headers.at(-1)!.number]
  try {
    return await readLogRange(client, { fromBlock, toBlock })
  } catch (error) {
    // A block has too many logs, or a log has no block or index.
    if (isRefusal(error) || error instanceof MixedLogsError) return undefined
    throw error
  }
}

function isComplete({ hash, logsBloom }: Header, logs: readonly Log[]): boolean {
  const isWhole = logs.every(({ blockHash, logIndex }, i) => blockHash === hash && logIndex === i)
  return isWhole && bloomOf(logs) === logsBloom
}

// Logs of a block whose header was not read must at least agree on its hash.
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

/** The node omits logs that the block's bloom filter implies. */
export class MissingLogsError extends BaseError {
  readonly code = 'LOGS_MISSING'

  constructor({ number, hash }: Pick<Header, 'number' | 'hash'>) {
    super(`the logs of block ${number} ${hash} do not match its bloom filter`, {
      blockNumber: `${number}`,
      blockHash: hash,
    })
  }
}
