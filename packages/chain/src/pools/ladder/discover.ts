import type { Address, Hex } from '@braid-swap/core'
import { addressOf, callData, listOf, wordAt } from '../../reads/abiWords.js'
import type { Call } from '../../reads/call.js'
import { createReader, type Reader } from '../../reads/multicall.js'
import type { Client } from '../../transport/client.js'
import { ASSET } from '../erc4626/abi.js'
import { type Enumeration, type PoolRef, VenueError } from '../loader.js'
import type { Venue } from '../venue.js'
import { GET_POOL_FOR_PAIR, GET_POOLS, GET_TOKENS } from './abi.js'

/** No creation log is known: new pools are found only when a market is loaded. */
export const creationTopics: readonly Hex[] = []

/** The pools of the venue's pairs or, if it names none, all pools that the factory lists. */
export async function discover(
  client: Client,
  venue: Venue,
  { to, leaveOut }: Enumeration,
): Promise<readonly PoolRef[]> {
  const read = createReader(client, to)
  if (venue.protocol === 'vault') return vaultOf(read, venue)
  return venue.pairs ? poolsOfPairs(read, venue, venue.pairs) : poolsOfList(read, venue, leaveOut)
}

/** The vault itself, which is its own venue, with its asset. */
async function vaultOf(read: Reader, venue: Venue): Promise<readonly PoolRef[]> {
  const [asset] = await ask(read, venue, [{ to: venue.factory, data: ASSET }])
  const id = venue.factory.toLowerCase() as Address
  return [refAt(venue, id, [addressOf(wordAt(asset!, 0)), id])]
}

async function poolsOfPairs(
  read: Reader,
  venue: Venue,
  pairs: NonNullable<Venue['pairs']>,
): Promise<readonly PoolRef[]> {
  const answers = await ask(
    read,
    venue,
    pairs.map(([a, b]) => ({
      to: venue.factory,
      data: callData(GET_POOL_FOR_PAIR, BigInt(a), BigInt(b)),
    })),
  )
  return answers.flatMap((data, i) => {
    const id = wordAt(data, 0)
    return id === 0n ? [] : [refAt(venue, addressOf(id), pairs[i]!)]
  })
}

async function poolsOfList(
  read: Reader,
  venue: Venue,
  leaveOut: Enumeration['leaveOut'],
): Promise<readonly PoolRef[]> {
  const [listed] = await ask(read, venue, [{ to: venue.factory, data: GET_POOLS }])
  // A list may contain the zero address in the place of a removed pool.
  const ids = listOf(listed!)
    .filter((word) => word !== 0n)
    .map(addressOf)
  const tokens = await read(ids.map((id) => ({ to: id, data: GET_TOKENS })))
  return ids.flatMap((id, i) => {
    const { success, data } = tokens[i]!
    if (success && data.length >= 2 + 2 * 64) {
      return [refAt(venue, id, [addressOf(wordAt(data, 0)), addressOf(wordAt(data, 1))])]
    }
    leaveOut(id)
    return []
  })
}

async function ask(read: Reader, venue: Venue, calls: readonly Call[]): Promise<readonly Hex[]> {
  const answers = await read(calls)
  return answers.map(({ success, data }) => {
    if (!success || data.length < 66) throw new VenueError(venue)
    return data
  })
}

/** Never called: no log is known to create a pool. Throws a {@link VenueError}. */
export function refOf(venue: Venue): PoolRef {
  throw new VenueError(venue)
}

/** The pool at an address. */
export function refAt(venue: Venue, id: Address, tokens: PoolRef['tokens']): PoolRef {
  const { protocol, haircutPpm } = venue
  return {
    ...{ id, family: 'ladder', venue: venue.id, tokens },
    ...(protocol !== undefined && { protocol }),
    ...(haircutPpm !== undefined && { haircutPpm }),
  }
}
