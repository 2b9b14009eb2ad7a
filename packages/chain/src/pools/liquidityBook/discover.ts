import type { Address } from '@braid-swap/core'
import { decodeEventLog } from 'viem'
import type { Log } from '../../reads/log.js'
import type { Client } from '../../transport/client.js'
import { enumerate } from '../enumerate.js'
import type { Enumeration, PoolRef } from '../loader.js'
import type { Venue } from '../venue.js'
import { PAIR_AT, PAIR_COUNT, PAIR_CREATED, PAIR_CREATED_TOPICS, TOKEN_X, TOKEN_Y } from './abi.js'

/** `LBPairCreated`. */
export const creationTopics = PAIR_CREATED_TOPICS

/** All pairs that the factory numbers. */
export async function discover(
  client: Client,
  venue: Venue,
  at: Enumeration,
): Promise<readonly PoolRef[]> {
  const numbered = { length: PAIR_COUNT, at: PAIR_AT, tokens: [TOKEN_X, TOKEN_Y] as const }
  const pairs = await enumerate(client, venue, { ...at, numbered })
  return pairs.map(({ id, tokens }) => refAt(venue, id, tokens))
}

/** The pair that an `LBPairCreated` log announces. */
export function refOf(venue: Venue, { topics, data }: Pick<Log, 'topics' | 'data'>): PoolRef {
  const { args } = decodeEventLog({ abi: PAIR_CREATED, topics: [...topics] as never, data })
  const [x, y] = [args.tokenX, args.tokenY].map((token) => token.toLowerCase() as Address)
  return refAt(venue, args.pair.toLowerCase() as Address, [x!, y!])
}

/** The pair at an address, with token X first, as in the contract. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  return { id, family: 'liquidityBook', venue: venue.id, tokens }
}
