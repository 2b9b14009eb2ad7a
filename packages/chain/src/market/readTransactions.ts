// What the transactions of a block did, from their receipts, and the market between two of them, for who compares the
// swaps of others with Braid's.

import type { Address, Hex, Snapshot } from '@braid-swap/core'
import { advance } from '@braid-swap/core/advanced'
import type { Venue } from '../pools/venue.js'
import { keepReceipts, readReceipts } from '../reads/blockReceipts.js'
import { BlockUnavailableError, type Header } from '../reads/headers.js'
import type { Log } from '../reads/log.js'
import { swapsIn } from '../reads/swapLogs.js'
import type { Client } from '../transport/client.js'
import { applyToShadow } from './logShadow.js'
import { withSubjects } from './logSubjects.js'
import type { Market } from './market.js'

/** A transaction that did not revert. */
export type BlockTransaction = {
  readonly hash: Hex
  /** Its place in the block. */
  readonly index: number
  readonly from: Address
  /** Absent if it created a contract. */
  readonly to?: Address
  readonly gasUsed: bigint
  readonly logs: readonly Log[]
  /** The pool of each log of a swap, or the contract where no venue knows its pools, and the log's contract. */
  readonly swaps: readonly { readonly pool: Hex; readonly emitter: Address }[]
}

/**
 * The transactions of a block that did not revert, with addresses in lower case. Throws a BlockUnavailableError if
 * the node does not have its receipts, and the errors of the client.
 */
export async function readTransactions(
  client: Client,
  header: Header,
  venues: readonly Venue[],
): Promise<readonly BlockTransaction[]> {
  const receipts = await readReceipts(client, header)
  if (!receipts) throw new BlockUnavailableError(header.number)
  keepReceipts(client, header, receipts)
  const lower = (address: Address) => address.toLowerCase() as Address
  const { number: blockNumber, hash: blockHash, timestamp } = header
  const settled = receipts.map((receipt, index): BlockTransaction => {
    const logs = receipt.logs.map(({ address, topics, data }, logIndex) => ({
      ...{ address: lower(address), topics, data, logIndex },
      ...{ blockNumber, blockHash, timestamp },
    }))
    return {
      ...{ hash: receipt.transactionHash, index, from: lower(receipt.from) },
      ...(receipt.to && { to: lower(receipt.to) }),
      ...{ gasUsed: BigInt(receipt.gasUsed), logs },
      swaps: swapsIn(logs).flatMap((log) =>
        withSubjects([log], { venues, refs: new Map() }).map(({ address }) => ({
          ...{ pool: address, emitter: log.address },
        })),
      ),
    }
  })
  return settled.filter((_, i) => BigInt(receipts[i]!.status) === 1n)
}

/**
 * The market after logs of its next block; the same if they change no pool. A pool is not in it any more if its logs do
 * not tell its state.
 */
export function snapshotAfter(
  { state: { snapshot, pools } }: Pick<Market, 'state'>,
  logs: readonly Log[],
  venues: readonly Venue[],
): Snapshot {
  const refs = new Map(pools.map((ref) => [ref.id, ref]))
  const derived = new Map(snapshot.pools.map((pool) => [pool.id, pool]))
  for (const log of withSubjects(logs, { venues, refs })) applyToShadow(derived, log)
  const removed = snapshot.pools.flatMap(({ id }) => (derived.has(id) ? [] : [id]))
  const changed = snapshot.pools.flatMap((pool) => {
    const after = derived.get(pool.id)
    return after && after !== pool ? [after] : []
  })
  if (removed.length + changed.length === 0) return snapshot
  return advance(snapshot, { block: snapshot.block, pools: changed, removed })
}
