import type { Address, Hex } from '@braid-swap/core'
import { addressOf, wordAt } from '../../reads/abiWords.js'
import { createReader } from '../../reads/multicall.js'
import type { Client } from '../../transport/client.js'
import { type Enumeration, type PoolRef, VenueError } from '../loader.js'
import type { Venue } from '../venue.js'
import * as abi from './abi.js'

/** None: an exchange has one pool, created with it. */
export const creationTopics: readonly Hex[] = []

/** The pool of the exchange that is the venue. */
export async function discover(
  client: Client,
  venue: Venue,
  { to }: Enumeration,
): Promise<readonly PoolRef[]> {
  const read = createReader(client, to)
  const ask = async (target: Address, selectors: readonly Hex[]) =>
    (await read(selectors.map((data) => ({ to: target, data })))).map(({ success, data }) => {
      if (!success || data === '0x') throw new VenueError(venue)
      return addressOf(wordAt(data, 0))
    })
  const [id] = await ask(venue.factory, [abi.POOL])
  const [token0, token1] = await ask(id!, [abi.TOKEN0, abi.TOKEN1])
  return [refAt(venue, id!, [token0!, token1!])]
}

/** Never called: no log creates a pool. Throws a {@link VenueError}. */
export function refOf(venue: Venue): PoolRef {
  throw new VenueError(venue)
}

/** The pool at an address. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  const { modules } = venue
  return { id, family: 'stex', venue: venue.id, tokens, ...(modules && { modules }) }
}
