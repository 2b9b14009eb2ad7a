// Finds the pools of venues: from the list of a factory, or from its creation logs, in parts that
// can be resumed, because a log search over the whole chain can take hours.

import type { Address } from '@braid-swap/core'
import { ownValue } from '@braid-swap/core/advanced'
import { createdBy, creationTopicsOf, discover, isListed, isLogged } from '../loaders/loaders.js'
import { type PoolRef, VenueError } from '../pools/loader.js'
import type { SetAside } from '../pools/setAside.js'
import type { Venue } from '../pools/venue.js'
import type { Header } from '../reads/headers.js'
import { readLogRange } from '../reads/logRange.js'
import { type Client, profilesOf } from '../transport/client.js'
import { checkVenues } from '../venues/checkVenues.js'

/** By venue id, the first block that is not searched yet. */
export type Searched = Readonly<Record<string, bigint>>

/** Pools found, and what was left out: venues without an answer, pools without readable tokens. */
export type Discovered = {
  readonly refs: readonly PoolRef[]
  readonly setAside: readonly SetAside[]
}

/** The pools of one part of a search, and its progress. */
export type SearchPart = Discovered & {
  readonly searched: Searched
  /** Blocks left to search. */
  readonly left: bigint
}

/** Blocks per part: about 20 requests if a node answers 50 blocks at once. */
const PART = 1_000n

/**
 * The venues' pools up to a block, part by part: first the lists of the factories, then the
 * creation logs, oldest first and for all venues together. To resume an interrupted search, pass
 * the `searched` of its last part. Throws a BadVenuesError.
 *
 * @example for await (const { refs, searched } of searchPools(client, { venues, to })) keep(refs, searched)
 */
export async function* searchPools(
  client: Client,
  {
    to,
    searched = {},
    ...given
  }: { readonly venues: readonly Venue[]; readonly to: Header; readonly searched?: Searched },
): AsyncGenerator<SearchPart> {
  const venues = checkVenues(given.venues)
  const end = to.number + 1n
  const kept = firstKept(client, to.number)
  const next = new Map(
    venues.map((venue) => [
      venue.id,
      latest(ownValue(searched, venue.id) ?? firstBlock(venue), kept),
    ]),
  )
  const part = ({ refs, setAside }: Discovered): SearchPart => ({
    ...{ refs, setAside, searched: Object.fromEntries(next) },
    left: end - [...next.values()].reduce((a, b) => (a < b ? a : b), end),
  })
  const cut = venues.filter((venue) => !isListed(venue) && firstBlock(venue) < kept)
  const unknown = cut.map((venue) => historyMissing(venue, kept))
  if (unknown.length > 0) yield part({ refs: [], setAside: unknown })
  for (const venue of venues) {
    if (!isListed(venue) || (isLogged(venue) && ownValue(searched, venue.id) !== undefined))
      continue
    const found = await listPools(client, venue, to)
    // A factory that does not answer is tried again by the next search.
    if (found.isUnreadable) next.delete(venue.id)
    else next.set(venue.id, end)
    yield part(found)
  }
  for (;;) {
    const from = [...next.values()].reduce((a, b) => (a < b ? a : b), end)
    if (from >= end) return
    const some = venues.filter(({ id }) => next.get(id) === from)
    const others = [...next.values()].filter((block) => block > from)
    const until = [from + PART, end, ...others].reduce((a, b) => (a < b ? a : b))
    const refs = await searchLogs(client, some, { fromBlock: from, toBlock: until - 1n })
    for (const { id } of some) next.set(id, until)
    yield part({ refs, setAside: [] })
  }
}

/** The venues' pools up to a block: all of them, or those created after `searchedTo`. */
export async function discoverAll(
  client: Client,
  { venues = [], searchedTo }: { readonly venues?: readonly Venue[]; readonly searchedTo?: bigint },
  to: Header,
): Promise<Discovered> {
  if (searchedTo !== undefined) {
    const range = { fromBlock: searchedTo + 1n, toBlock: to.number }
    return { refs: await searchLogs(client, venues, range), setAside: [] }
  }
  const refs: PoolRef[] = []
  const setAside: SetAside[] = []
  for await (const part of searchPools(client, { venues, to })) {
    refs.push(...part.refs)
    setAside.push(...part.setAside)
  }
  return { refs, setAside }
}

/** The first block that the endpoints are known to keep. */
function firstKept(client: Client, head: bigint): bigint {
  const depths = profilesOf(client).flatMap(({ history }) => history ?? [])
  return depths.reduce((first, depth) => latest(first, head > depth ? head - depth : 0n), 0n)
}

const latest = (a: bigint, b: bigint): bigint => (a > b ? a : b)

function historyMissing({ id, factory }: Venue, kept: bigint): SetAside {
  const message = `the node keeps no block before ${kept}, so older pools of ${id} are found only between listed tokens`
  return { id: factory, venue: id, code: 'HISTORY_NOT_KEPT', message }
}

const firstBlock = ({ fromBlock = 0n }: Venue): bigint => fromBlock

async function listPools(
  client: Client,
  venue: Venue,
  to: Header,
): Promise<Discovered & { readonly isUnreadable?: true }> {
  const setAside: SetAside[] = []
  const leaveOut = (id: Address) => {
    const message = `pool ${id} does not return its tokens`
    setAside.push({ id, venue: venue.id, code: 'POOL_CALL_FAILED', message })
  }
  try {
    return { refs: await discover(client, venue, { to, leaveOut }), setAside }
  } catch (error) {
    if (!(error instanceof VenueError)) throw error
    const { code, message } = error
    const aside: SetAside = { id: venue.factory, venue: venue.id, code, message }
    return { refs: [], setAside: [aside], isUnreadable: true }
  }
}

// One request for all venues, because creation logs are rare.
async function searchLogs(
  client: Client,
  venues: readonly Venue[],
  range: { readonly fromBlock: bigint; readonly toBlock: bigint },
): Promise<readonly PoolRef[]> {
  const logged = venues.filter(isLogged)
  if (logged.length === 0) return []
  const byFactory = new Map(logged.map((venue) => [venue.factory.toLowerCase(), venue]))
  const addresses = [...byFactory.keys()] as Address[]
  const topics = creationTopicsOf(logged)
  const { logs } = await readLogRange(client, { addresses, topics, ...range })
  return logs.flatMap((log) => createdBy(byFactory.get(log.address)!, log) ?? [])
}
