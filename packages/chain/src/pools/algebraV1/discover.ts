import type { Address } from '@braid-swap/core'
import type { Client } from '../../client.js'
import type { Venue } from '../../venues/venue.js'
import { discover as discoverAll, refOf as refOfAny } from '../algebraIntegral/discover.js'
import type { DiscoverRange, Log, PoolRef } from '../loader.js'

/** The factory's `Pool` and `poolByPair` are those of Algebra Integral. */
export { creationTopics, findCalls } from '../algebraIntegral/discover.js'

/** The factory's pools by its creation logs. */
export async function discover(
  client: Client,
  venue: Venue,
  range: DiscoverRange,
): Promise<readonly PoolRef[]> {
  const refs = await discoverAll(client, venue, range)
  return refs.map(({ id, tokens }) => refAt(venue, id, tokens))
}

/** The pool a creation log tells of. */
export function refOf(venue: Venue, log: Pick<Log, 'topics' | 'data'>): PoolRef {
  const { id, tokens } = refOfAny(venue, log)
  return refAt(venue, id, tokens)
}

/** The pool at an address. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  return { id, family: 'algebraV1', venue: venue.id, tokens }
}
