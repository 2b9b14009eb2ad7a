import type { Address, Hex } from '@braid-swap/core'
import { createReader } from '../../reads/multicall.js'
import type { Client } from '../../transport/client.js'
import { type Enumeration, type PoolRef, VenueError } from '../loader.js'
import type { Venue } from '../venue.js'
import { INSTANT_UNSTAKE_POOL } from './abi.js'

/** None: each manager is a venue. */
export const creationTopics: readonly Hex[] = []

/** The manager itself, which is its own factory; the venue names its tokens. */
export async function discover(
  client: Client,
  venue: Venue,
  { to }: Enumeration,
): Promise<readonly PoolRef[]> {
  const id = venue.factory.toLowerCase() as Address
  const [tokens] = venue.pairs ?? []
  const [pool] = await createReader(client, to)([{ to: id, data: INSTANT_UNSTAKE_POOL }])
  if (!tokens || !pool!.success || pool!.data === '0x') throw new VenueError(venue)
  return [refAt(venue, id, tokens)]
}

/** Never called: no log creates a manager. Throws a {@link VenueError}. */
export function refOf(venue: Venue): PoolRef {
  throw new VenueError(venue)
}

/** The manager at an address; its tokens are the staked token and the wrapped native one. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  return { id, family: 'instantUnstake', venue: venue.id, tokens }
}
