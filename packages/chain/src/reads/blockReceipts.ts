// Reads all logs of a block from the receipts of its transactions. The hash of the block's header covers
// these, so a missing, foreign or exchanged log shows, which the logs of `eth_getLogs` alone cannot prove.

import type { Address, Hex } from '@braid-swap/core'
import type { RpcLog } from 'viem'
import type { Client } from '../transport/client.js'
import { memoryOf } from '../transport/memory.js'
import { isRefusal } from '../transport/rpcErrors.js'
import { coversReceipts, type Header } from './headers.js'
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
  /** Contracts with other logs, in HyperEVM's system transactions. */
  readonly others: readonly Address[]
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
    const receipts = await client.request<{
      Method: 'eth_getBlockReceipts'
      Parameters: readonly [Hex]
      ReturnType: readonly Receipt[] | null
    }>({ method: 'eth_getBlockReceipts', params: [`0x${header.number.toString(16)}`] })
    return receipts ? await provedLogs(header, receipts) : undefined
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

/**
 * The logs of receipts that a header covers, numbered as nodes do. The receipts of HyperEVM's system transactions come
 * first where a node shows them. They use no gas, and neither root nor bloom filter counts them.
 */
async function provedLogs(
  header: Header,
  receipts: readonly Receipt[],
): Promise<ProvedLogs | undefined> {
  const isSystem = ({ cumulativeGasUsed }: Receipt) => BigInt(cumulativeGasUsed) === 0n
  const own = receipts.filter((receipt) => !isSystem(receipt))
  if (!coversReceipts(header, await rootOfReceipts(own))) return undefined
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
