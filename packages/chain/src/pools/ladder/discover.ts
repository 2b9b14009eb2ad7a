import type { Address, Hex } from '@braid-swap/core'
import { addressOf, listOf, wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import { createReader } from '../../reads/multicall.js'
import type { Client } from '../../transport/client.js'
import { type Enumeration, type PoolRef, type TokenPair, VenueError } from '../loader.js'
import type { Venue } from '../venue.js'
import { GET_POOLS, GET_TOKENS } from './abi.js'

/** No creation log is known: new pools are found only when a market is loaded. */
export const creationTopics: readonly Hex[] = []

/** All pools that the factory lists. */
export async function discover(
  client: Client,
  venue: Venue,
  { to }: Enumeration,
): Promise<readonly PoolRef[]> {
  const read = createReader(client, to)
  const ask = async (calls: readonly Call[]) =>
    (await read(calls)).map(({ success, data }) => {
      if (!success || data === '0x') throw new VenueError(venue)
      return data
    })
  const [listed] = await ask([{ to: venue.factory, data: GET_POOLS }])
  const ids = listOf(listed!).map(addressOf)
  const tokens = await ask(ids.map((id) => ({ to: id, data: GET_TOKENS })))
  return ids.map((id, i) => {
    const [a, b] = [wordAt(tokens[i]!, 0), wordAt(tokens[i]!, 1)]
    return refAt(venue, id, [addressOf(a), addressOf(b)])
  })
}

/** Never called: no log is known to create a pool. Throws a {@link VenueError}. */
export function refOf(venue: Venue): PoolRef {
  throw new VenueError(venue)
}

/** The pool at an address. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  return { id, family: 'ladder', venue: venue.id, tokens }
}

/** None: the factory lists its pools and cannot be asked by tokens. */
export function findCalls(_venue: Venue, _tokens: TokenPair): readonly Call[] {
  return []
}
