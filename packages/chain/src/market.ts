import type { Address, Hex, Snapshot } from '@braid-swap/core'
import type { LoadErrorCode } from './pools/loadError.js'
import type { PoolRef } from './pools/loader.js'
import type { TokenFlaw } from './tokenFlaws.js'

/** A pool or a whole venue that is not in the snapshot, and why. */
export type SetAside = {
  /** The pool's address; the factory's where a venue could not be read. */
  readonly id: Address
  readonly venue: string
  readonly code: LoadErrorCode | 'VENUE_UNREADABLE'
  readonly message: string
}

/** What happened in one block, kept so that a reorganisation can be undone. */
export type TrailBlock = {
  readonly number: bigint
  readonly hash: Hex
  readonly gasLimit: bigint
  /** Pools that logged something in the block. */
  readonly touched: readonly Address[]
  /** Pools the block created. */
  readonly created: readonly Address[]
}

/** A snapshot, and beside it what is needed to follow the chain from there. */
export type Market = {
  readonly snapshot: Snapshot
  /** Every pool known; those neither in the snapshot nor set aside are read with the next head. */
  readonly pools: readonly PoolRef[]
  readonly setAside: readonly SetAside[]
  /** Tokens whose pools are set aside. */
  readonly flawed: readonly TokenFlaw[]
  /** The clock of this process, in Unix milliseconds, when the snapshot's block was first heard of. */
  readonly receivedAtMs: number
  /** The last blocks followed, oldest first; the newest is the snapshot's. */
  readonly trail: readonly TrailBlock[]
  /** When the snapshot's gas price was read, by the same clock, and the base fee of the head then. */
  readonly gasPriceRead?: { readonly atMs: number; readonly baseFee: bigint }
}

/** How many were set aside, by reason. */
export function countSetAside(setAside: readonly SetAside[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { code } of setAside) counts[code] = (counts[code] ?? 0) + 1
  return counts
}
