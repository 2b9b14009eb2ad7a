import type { Address } from '@braid-swap/core'
import type { Client } from '../../client.js'
import type { Venue } from '../../venues/venue.js'
import type { Enumeration, Log, PoolRef } from '../loader.js'
import { creationTopics, findCalls, discover as findPairs, pairOf } from '../uniswapV2/discover.js'

// The factory is Uniswap V2's, whatever its pairs are.
export { creationTopics, findCalls }

/** All pairs, as the factory enumerates them. */
export async function discover(
  client: Client,
  venue: Venue,
  at: Enumeration,
): Promise<readonly PoolRef[]> {
  const pairs = await findPairs(client, venue, at)
  return pairs.map(({ id, tokens }) => refAt(venue, id, tokens))
}

/** The pair a `PairCreated` log tells of. */
export function refOf(venue: Venue, log: Pick<Log, 'topics' | 'data'>): PoolRef {
  const { id, tokens } = pairOf(log)
  return refAt(venue, id, tokens)
}

/** The pair at an address. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  const factory = venue.factory.toLowerCase() as Address
  return { id, family: 'camelot', venue: venue.id, tokens, factory }
}
