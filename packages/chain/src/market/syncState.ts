// The state of a synchronisation while it runs.

import type { Address, Hex, Pool } from '@braid-swap/core'
import type { LoadError } from '../pools/loadError.js'
import type { PoolRef } from '../pools/loader.js'
import type { Venue } from '../pools/venue.js'
import type { BlockSeen } from '../reads/call.js'
import type { Header, Point } from '../reads/headers.js'
import type { Log } from '../reads/log.js'
import type { ReadLogs } from '../reads/roundLogs.js'
import type { Client } from '../transport/client.js'

export type State = { pool: Pool; first: bigint; last: bigint }
/** Pools on their way to one block. */
export type SyncState = {
  readonly client: Client
  readonly venues: readonly Venue[]
  readonly banned: ReadonlySet<Address>
  readonly refs: Map<Address, PoolRef>
  readonly failures: Map<Address, { readonly failure: LoadError; readonly at: bigint }>
  readonly moved: Set<Address>
  reload: Set<Address>
  /** A pool as of `last`, read at blocks from `first` on. */
  readonly states: Map<Address, State>
  /** The first block of each pool's last read. */
  readonly readAt: Map<Address, bigint>
  readonly derived: Map<Address, Pool>
  derivedTo: bigint
  base: Point | undefined
  /** The block to which the logs were read. */
  reached: Point | undefined
  /** The logs of the newest blocks read, to compare with the next answer. */
  read: ReadLogs | undefined
  logs: readonly Log[]
  /** The last block in which the logs of a contract may be missing or foreign. */
  readonly doubts: Map<Address, bigint>
  /** Contracts of which a log may be missing. */
  readonly unproved: Set<Address>
  skipped: readonly bigint[]
  /** Contracts that say in a log that their behaviour may have changed. */
  readonly changedBehaviour: Set<Address>
  /** The pool, or the unknown contract, of each swap. */
  readonly swaps: Hex[]
  target: Header
  readonly created: Map<Address, bigint>
  /** The blocks of all reads. */
  seen: readonly BlockSeen[]
}

/** The pools that watch each contract. */
export function watchersOf({ states }: SyncState): ReadonlyMap<Address, readonly Address[]> {
  const watchers = new Map<Address, Address[]>()
  for (const [id, { pool }] of states) {
    for (const address of pool.watched ?? []) {
      const ids = watchers.get(address) ?? []
      ids.push(id)
      watchers.set(address, ids)
    }
  }
  return watchers
}
