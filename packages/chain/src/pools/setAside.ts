import type { Address } from '@braid-swap/core'
import type { LoadErrorCode } from './loadError.js'

/** A pool or a whole venue that is not in the snapshot, with the reason. */
export type SetAside = {
  /** The pool's address, or the factory's if a venue could not be read. */
  readonly id: Address
  readonly venue: string
  readonly code: LoadErrorCode | 'VENUE_UNREADABLE' | 'HISTORY_NOT_KEPT'
  readonly message: string
}

/** Why a pool is in no answer: set aside, or what `venueShares` tells of one that is not. */
export type Refusal = SetAside['code'] | 'VENUE_ON_TRIAL' | 'NOT_READ_YET' | 'TOKEN_UNSUPPORTED'

/** The number of entries for each reason. */
export function countSetAside(
  setAside: readonly { readonly code: Refusal }[],
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { code } of setAside) counts[code] = (counts[code] ?? 0) + 1
  return counts
}
