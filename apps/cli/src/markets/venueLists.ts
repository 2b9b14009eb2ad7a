// Which venues count. Input: two lists of venue ids. Output: a test of a venue. It is shared by quotes and
// by `snapshot prune`, so that a market without a venue and a quote without it are the same.

import type { Snapshot } from '@braid-swap/core'
import { UsageError } from '../errors.js'

/** Venue ids; a list that is absent restricts nothing. */
export type VenueLists = {
  readonly includeProtocols?: readonly string[]
  readonly excludeProtocols?: readonly string[]
}

/** Whether a venue is in the lists. Throws USAGE for a venue that the market does not have. */
export function resolveVenues(
  { pools }: Snapshot,
  { includeProtocols, excludeProtocols }: VenueLists,
): (venue: string) => boolean {
  if (!includeProtocols && !excludeProtocols) return () => true
  const venues = new Set(pools.map(({ venue }) => venue))
  const unknown = [...(includeProtocols ?? []), ...(excludeProtocols ?? [])].filter(
    (venue) => !venues.has(venue),
  )
  if (unknown.length > 0) {
    throw new UsageError('the market has no such venue', {
      got: unknown.join(', '),
      wanted: [...venues].sort().join(', '),
    })
  }
  const [included, excluded] = [
    includeProtocols && new Set(includeProtocols),
    new Set(excludeProtocols),
  ]
  return (venue) => (included?.has(venue) ?? true) && !excluded.has(venue)
}
