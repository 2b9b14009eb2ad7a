import type { Address } from '@braid-swap/core'
import type { Client } from './client.js'
import type { Header } from './headers.js'
import { readLogRange } from './logs.js'
import type { SetAside } from './market.js'
import { createdBy, discover } from './pools/index.js'
import { type DiscoverRange, type PoolRef, VenueError } from './pools/loader.js'
import type { Venue } from './venues/venue.js'

/** Pools found, and venues whose factory does not answer. */
export type Discovered = {
  readonly refs: readonly PoolRef[]
  readonly setAside: readonly SetAside[]
}

/** The venues' pools up to a block: all of them, or those created after `searchedTo`. */
export async function discoverAll(
  client: Client,
  { venues = [], searchedTo }: { readonly venues?: readonly Venue[]; readonly searchedTo?: bigint },
  to: Header,
): Promise<Discovered> {
  if (searchedTo !== undefined) {
    const refs = await discoverSince(client, venues, { fromBlock: searchedTo + 1n, to })
    return { refs, setAside: [] }
  }
  const refs: PoolRef[] = []
  const setAside: SetAside[] = []
  for (const venue of venues) {
    try {
      refs.push(...(await discover(client, venue, { fromBlock: venue.fromBlock ?? 0n, to })))
    } catch (error) {
      if (!(error instanceof VenueError)) throw error
      const { code, message } = error
      setAside.push({ id: venue.factory, venue: venue.id, code, message })
    }
  }
  return { refs, setAside }
}

// One search for all venues together: their creation logs are few.
async function discoverSince(
  client: Client,
  venues: readonly Venue[],
  { fromBlock, to }: DiscoverRange,
): Promise<readonly PoolRef[]> {
  if (venues.length === 0) return []
  const byFactory = new Map(venues.map((venue) => [venue.factory.toLowerCase(), venue]))
  const logs = await readLogRange(client, {
    addresses: [...byFactory.keys()] as Address[],
    fromBlock,
    toBlock: to.number,
  })
  return logs.flatMap((log) => createdBy(byFactory.get(log.address)!, log) ?? [])
}
