import { isDeepStrictEqual } from 'node:util'
import { type Address, BaseError } from '@braid-swap/core'
import { isRefusal, isTooLarge } from './answers.js'
import { bloomOf } from './bloom.js'
import type { Client } from './client.js'
import type { Header } from './headers.js'
import { MixedLogsError, readLogRange, readLogs } from './logs.js'
import type { Log } from './pools/loader.js'

/** Consecutive blocks: the headers are those of the newest, up to the last. */
export type Stretch = { readonly fromBlock: bigint; readonly headers: readonly Header[] }

/**
 * Logs of exactly these blocks and addresses, in order. Throws a MixedLogsError if a log belongs to
 * another block, a MissingLogsError if logs do not add up.
 *
 * An endpoint that lags answers a range without its newest blocks and says nothing. So of blocks
 * whose headers are known all logs are read, of every address, in one question: they are complete if
 * they add up to the bloom filter in the header. A block whose logs do not is asked for again, by its
 * hash, which an endpoint either knows or refuses, and has to add up too. Asking for all is also the smaller question: the
 * addresses of thousands of pools take more bytes than the logs of a block.
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

/** Blocks of a client whose logs did not add up though nothing was missing. */
const unproven = new WeakMap<Client, number>()
/** After so many of them in a row, the node's bloom filters are no proof, and are not asked for. */
const UNPROVEN = 8
/** How often a block is asked for by its hash before its logs are given up for missing. */
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
 * All logs of a block, of which `told` may be some: as soon as they add up to its bloom filter, or
 * where two answers are the same though they do not. No logs are no answer to a filter that says
 * there are some: they may be those of an empty block before. `undefined` where the block is too
 * full to be asked for whole.
 */
async function proved(
  client: Client,
  header: Header,
  told: readonly Log[],
): Promise<readonly Log[] | undefined> {
  let last = told
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

/** Every log of the blocks; undefined where that is refused, or would prove nothing. */
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
    // A block that is too full, or a log without a place.
    if (isRefusal(error) || error instanceof MixedLogsError) return undefined
    throw error
  }
}

function isComplete({ hash, logsBloom }: Header, logs: readonly Log[]): boolean {
  const isWhole = logs.every(({ blockHash, logIndex }, i) => blockHash === hash && logIndex === i)
  return isWhole && bloomOf(logs) === logsBloom
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

/** The node answered without logs that the block's bloom filter says there are. */
export class MissingLogsError extends BaseError {
  readonly code = 'LOGS_MISSING'

  constructor({ number, hash }: Pick<Header, 'number' | 'hash'>) {
    super(`logs of block ${number} ${hash} do not add up to its bloom filter`, {
      blockNumber: `${number}`,
      blockHash: hash,
    })
  }
}
