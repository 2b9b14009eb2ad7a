import type { Address } from '@braid-swap/core'
import { addressOf, callData, wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import type { Log } from '../../reads/log.js'
import type { Client } from '../../transport/client.js'
import { enumerate } from '../enumerate.js'
import type { Enumeration, PoolRef, TokenPair } from '../loader.js'
import type { Venue } from '../venue.js'
import { CREATION_TOPICS, CREATION_WITHOUT_FLAG, GET_PAIR, GET_POOL, PAIRS, POOLS } from './abi.js'

/** `PairCreated` and `PoolCreated` with a stable flag, and the `PairCreated` of Ramses without one. */
export const creationTopics = CREATION_TOPICS

/** All pairs, from the factory's list. */
export async function discover(
  client: Client,
  venue: Venue,
  at: Enumeration,
): Promise<readonly PoolRef[]> {
  const numbered = venue.variant === 'velodrome' ? POOLS : PAIRS
  const pairs = await enumerate(client, venue, { numbered, ...at })
  return pairs.map(({ id, tokens }) => refAt(venue, id, tokens))
}

/**
 * The pair that a creation log announces; a stable flag that is not indexed precedes the address.
 */
export function refOf(venue: Venue, { topics, data }: Pick<Log, 'topics' | 'data'>): PoolRef {
  const [, token0, token1] = topics.map((topic) => BigInt(topic))
  const isFirst = topics.length === 4 || topics[0] === CREATION_WITHOUT_FLAG
  const pair = wordAt(data, isFirst ? 0 : 1)
  return refAt(venue, addressOf(pair), [addressOf(token0!), addressOf(token1!)])
}

/** The pair at an address. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  return {
    ...{ id, family: 'solidly', venue: venue.id, tokens },
    factory: venue.factory.toLowerCase() as Address,
    variant: venue.variant ?? 'solidly',
    ...(venue.feePpm !== undefined && { feePpm: venue.feePpm }),
  }
}

/** The factory's volatile and stable pair of two tokens. */
export function findCalls(venue: Venue, [a, b]: TokenPair): readonly Call[] {
  const selector = venue.variant === 'velodrome' ? GET_POOL : GET_PAIR
  return [0, 1].map((stable) => ({
    to: venue.factory,
    data: callData(selector, BigInt(a), BigInt(b), stable),
  }))
}
