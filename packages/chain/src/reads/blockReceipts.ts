// Reads all logs of blocks from the receipts of their transactions. The hash of a block's header covers
// these, so a missing, foreign or exchanged log shows, which the logs of `eth_getLogs` alone cannot prove.

import type { Address, Hex } from '@braid-swap/core'
import type { RpcLog } from 'viem'
import { type Client, hasRateLimit } from '../transport/client.js'
import { memoryOf } from '../transport/memory.js'
import { isRefusal } from '../transport/rpcErrors.js'
import {
  BlockUnavailableError,
  fieldsCovering,
  type Header,
  NotContinuousError,
  type Point,
  readHeader,
} from './headers.js'
import type { Log } from './log.js'
import { type Receipt, rootOfReceipts } from './receiptsRoot.js'

/** Blocks without a proof after which a node is not asked for receipts for a while, and that while. */
const MAX_MISSES = 3
const PAUSE = 64

/** Blocks in a row without a proof, and from the third on those for which receipts were not asked. */
const noMisses = () => ({ inRow: 0 })

/** The logs of a block that the hash of its header covers. */
export type ProvedLogs = {
  readonly logs: readonly Log[]
  /** Contracts with other logs, in system transactions. */
  readonly others: readonly Address[]
}

/** Blocks of a round that are proved one by one if the node's requests are not limited. */
const MAX_ONE_BY_ONE = 4n

/** The logs of each block after `from`, proved by its receipts; `undefined` if one is not. */
export async function readProvedBlocks(
  client: Client,
  from: Point,
  head: Header,
): Promise<readonly ProvedLogs[] | undefined> {
  const count = head.number - from.number
  if (count > (hasRateLimit(client) ? 1n : MAX_ONE_BY_ONE)) return undefined
  const numbers = Array.from({ length: Number(count) - 1 }, (_, i) => from.number + 1n + BigInt(i))
  const between = await Promise.all(numbers.map((number) => readKnown(client, number)))
  // Some blocks are missing for ever; the range of logs tells them apart from a node that lags.
  if (!between.every((header) => header !== undefined)) return undefined
  const headers = [...between, head]
  headers.reduce((parent, header) => {
    if (header.parentHash !== parent) throw new NotContinuousError(header)
    return header.hash
  }, from.hash)
  const blocks = await Promise.all(headers.map((header) => readProvedLogs(client, header)))
  return blocks.every((block) => block !== undefined) ? blocks : undefined
}

/** The header of a block; `undefined` if the node has none or refuses. */
async function readKnown(client: Client, number: bigint): Promise<Header | undefined> {
  try {
    return await readHeader(client, number)
  } catch (error) {
    if (error instanceof BlockUnavailableError || isRefusal(error)) return undefined
    throw error
  }
}

/**
 * All logs of a block, proved: they are those of the receipts that the hash of its header covers.
 * `undefined` if the node does not answer so; after three blocks in a row it is not asked for 64.
 */
export async function readProvedLogs(
  client: Client,
  header: Header,
): Promise<ProvedLogs | undefined> {
  const misses = memoryOf(client, noMisses)
  if (misses.inRow >= MAX_MISSES && misses.inRow < MAX_MISSES + PAUSE) {
    misses.inRow += 1
    return undefined
  }
  const logs = await logsOfReceipts(client, header)
  if (logs) misses.inRow = 0
  else misses.inRow = misses.inRow >= MAX_MISSES ? MAX_MISSES : misses.inRow + 1
  return logs
}

async function logsOfReceipts(client: Client, header: Header): Promise<ProvedLogs | undefined> {
  try {
    const receipts = await readReceipts(client, header)
    return receipts ? await provedLogs(header, receipts) : undefined
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

/** The receipt of a transaction, as a node shows it. */
export type TransactionReceipt = Receipt & {
  readonly transactionHash: Hex
  readonly from: Address
  /** `null` if it created a contract. */
  readonly to: Address | null
  readonly gasUsed: Hex
}

const noReceipts = (): { kept?: { readonly of: Hex; readonly receipts: Receipts } } => ({})
type Receipts = readonly TransactionReceipt[] | null

/** The receipts that a node has of a block, unproved: those kept for this read, if they are that block's. */
export async function readReceipts(
  client: Client,
  { number, hash }: Pick<Header, 'number' | 'hash'>,
): Promise<Receipts> {
  const memory = memoryOf(client, noReceipts)
  const { kept } = memory
  // A second read asks again, because the node may have told the wrong ones.
  delete memory.kept
  if (kept?.of === hash) return kept.receipts
  return client.request<{
    Method: 'eth_getBlockReceipts'
    Parameters: readonly [Hex]
    ReturnType: Receipts
  }>({ method: 'eth_getBlockReceipts', params: [`0x${number.toString(16)}`] })
}

/** Keeps the receipts of a block for the next read, so that who follows the chain does not ask for them again. */
export function keepReceipts(client: Client, { hash }: Pick<Header, 'hash'>, receipts: Receipts) {
  memoryOf(client, noReceipts).kept = { of: hash, receipts }
}

/**
 * The logs of receipts that a header covers, numbered as nodes do. The receipts of system transactions come
 * first where a node shows them. They use no gas, and neither root nor bloom filter counts them.
 */
async function provedLogs(
  header: Header,
  receipts: readonly Receipt[],
): Promise<ProvedLogs | undefined> {
  const isSystem = ({ cumulativeGasUsed }: Receipt) => BigInt(cumulativeGasUsed) === 0n
  const own = receipts.filter((receipt) => !isSystem(receipt))
  if (!fieldsCovering(header, await rootOfReceipts(own))) return undefined
  const system = receipts.filter(isSystem).flatMap(({ logs }) => logs)
  const { number: blockNumber, hash: blockHash, timestamp } = header
  const addressOf = ({ address }: RpcLog) => address.toLowerCase() as Address
  const logs = own
    .flatMap((receipt) => receipt.logs)
    .map((log, i) => ({
      ...{ address: addressOf(log), topics: log.topics, data: log.data },
      ...{ blockNumber, blockHash, logIndex: system.length + i, timestamp },
    }))
  return { logs, others: [...new Set(system.map(addressOf))] }
}
