// Logs of a contract that keeps all pools of a venue, such as a vault, as if each pool had emitted its
// own.

import type { Address } from '@braid-swap/core'
import { subjectOf } from '../loaders/loaders.js'
import type { PoolRef } from '../pools/loader.js'
import type { Venue } from '../pools/venue.js'
import type { Log } from '../reads/log.js'

/**
 * The logs, with the address of the pool in place of the contract's if a log is about one pool, and
 * one copy for each pool of the venue if it is about all of them.
 */
export function withSubjects(
  logs: readonly Log[],
  {
    venues,
    refs,
  }: { readonly venues: readonly Venue[]; readonly refs: ReadonlyMap<Address, PoolRef> },
): readonly Log[] {
  const byFactory = new Map(venues.map((v) => [v.factory.toLowerCase(), v]))
  return logs.flatMap((log) => {
    const venue = byFactory.get(log.address)
    const subject = venue && subjectOf(venue, log)
    if (!venue || subject === undefined) return [log]
    if (subject !== 'all') return [{ ...log, address: subject }]
    const own = [...refs.values()].filter((ref) => ref.venue === venue.id)
    return own.map(({ id }) => ({ ...log, address: id }))
  })
}
