import type { Address, Hex } from '@braid-swap/core'
import { addressOf, wordAt } from '../../reads/abiWords.js'
import { createReader } from '../../reads/multicall.js'
import type { Client } from '../../transport/client.js'
import { type Enumeration, type PoolRef, VenueError } from '../loader.js'
import type { Venue } from '../venue.js'
import { ASSET } from './abi.js'

/** None: each vault is a venue. */
export const creationTopics: readonly Hex[] = []

/** The vault itself, which is its own factory. */
export async function discover(
  client: Client,
  venue: Venue,
  { to }: Enumeration,
): Promise<readonly PoolRef[]> {
  const [answer] = await createReader(client, to)([{ to: venue.factory, data: ASSET }])
  if (!answer!.success || answer!.data === '0x') throw new VenueError(venue)
  const id = venue.factory.toLowerCase() as Address
  return [refAt(venue, id, [addressOf(wordAt(answer!.data, 0)), id])]
}

/** Never called: no log creates a vault. Throws a {@link VenueError}. */
export function refOf(venue: Venue): PoolRef {
  throw new VenueError(venue)
}

/** The vault at an address; its tokens are the asset and itself. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  return { id, family: 'erc4626', venue: venue.id, tokens }
}
