// Reads all logs of a block from the receipts of its transactions. The block's header names these, so a
// missing one shows, which the logs of `eth_getLogs` alone cannot prove.

import type { Hex } from '@braid-swap/core'
import type { RpcLog } from 'viem'
import type { Client } from '../transport/client.js'
import { isRefusal } from '../transport/rpcErrors.js'
import type { Header } from './headers.js'
import type { Log } from './log.js'
import { toLog } from './logRange.js'
import { bloomOf, isHoled } from './logsBloom.js'

/** Blocks without receipts after which a node is not asked for them for a while, and that while. */
const MAX_MISSES = 3
const PAUSE = 64

const misses = new WeakMap<Client, number>()

/**
 * All logs of a block, proved: its receipts are those of exactly the transactions that its header names,
 * their logs have no hole, and they explain the header's bloom filter. `undefined` if the node does not
 * answer so; after three blocks in a row it is not asked for 64.
 */
export async function readProvedLogs(
  client: Client,
  header: Header,
): Promise<readonly Log[] | undefined> {
  const missed = misses.get(client) ?? 0
  if (missed >= MAX_MISSES && missed < MAX_MISSES + PAUSE) {
    misses.set(client, missed + 1)
    return undefined
  }
  const logs = await logsOfReceipts(client, header)
  if (logs) misses.delete(client)
  else misses.set(client, missed >= MAX_MISSES ? MAX_MISSES : missed + 1)
  return logs
}

type Receipt = {
  readonly transactionHash: Hex
  readonly blockHash: Hex
  readonly logs: readonly RpcLog[]
}

async function logsOfReceipts(
  client: Client,
  { number, hash, transactions, logsBloom }: Header,
): Promise<readonly Log[] | undefined> {
  if (transactions === undefined || logsBloom === undefined) return undefined
  try {
    const receipts = await client.request<{
      Method: 'eth_getBlockReceipts'
      Parameters: readonly [Hex]
      ReturnType: readonly Receipt[] | null
    }>({ method: 'eth_getBlockReceipts', params: [`0x${number.toString(16)}`] })
    if (receipts?.length !== transactions.length) return undefined
    const isOwn = receipts.every(
      ({ transactionHash, blockHash }, i) =>
        transactionHash === transactions[i] && blockHash === hash,
    )
    const logs = receipts.flatMap((receipt) => receipt.logs.map(toLog))
    const isWhole = !isHoled(logs) && (BigInt(logsBloom) & ~bloomOf(logs)) === 0n
    return isOwn && isWhole ? logs : undefined
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}
