import type { Address } from '@braid-swap/core'
import type { Log } from '../../reads/log.js'
import type { Client } from '../../transport/client.js'
import type { Enumeration, PoolRef } from '../loader.js'
import { creationTopics, findCalls, discover as findPairs, pairOf } from '../uniswapV2/discover.js'
import type { Venue } from '../venue.js'

// The factory has Uniswap V2's interface.
export { creationTopics, findCalls }

/** All pairs, from the factory's list. */
export async function discover(
  client: Client,
  venue: Venue,
  at: Enumeration,
): Promise<readonly PoolRef[]> {
  const pairs = await findPairs(client, venue, at)
  return pairs.map(({ id, tokens }) => refAt(venue, id, tokens))
}

/** The pair that a `PairCreated` log announces. */
export function refOf(venue: Venue, log: Pick<Log, 'topics' | 'data'>): PoolRef {
  const { id, tokens } = pairOf(log)
  return refAt(venue, id, tokens)
}

/** The pair at an address. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  const factory = venue.factory.toLowerCase() as Address
  return { id, family: 'camelot', venue: venue.id, tokens, factory }
}
