// Finds the pools between given tokens by asking the factories for each pair and fee: minutes,
// where a search of all creation logs takes hours.

import type { Address } from '@braid-swap/core'
import { findCalls, isAskedByTokens, refAt } from '../loaders/loaders.js'
import { type PoolRef, type TokenPair, VenueError } from '../pools/loader.js'
import type { SetAside } from '../pools/setAside.js'
import type { Venue } from '../pools/venue.js'
import { addressOf, wordAt } from '../reads/abiWords.js'
import type { CallResult } from '../reads/call.js'
import { readHeader } from '../reads/headers.js'
import { createReader } from '../reads/multicall.js'
import type { Client } from '../transport/client.js'
import { checkVenues } from '../venues/checkVenues.js'
import { discoverAll } from './searchPools.js'

/** Pools found, in the form that `loadSnapshot` accepts. */
export type FoundPools = {
  readonly pools: readonly PoolRef[]
  /** The block of the search: only pools created later need a log search. */
  readonly searchedTo: bigint
  /** Venues whose factory does not answer. */
  readonly setAside: readonly SetAside[]
}

/**
 * The pools between these tokens, by one call to the factory per pair and fee. For a venue whose
 * factory cannot be asked by tokens, all pools are returned, whatever their tokens. Throws a BadVenuesError.
 *
 * @example
 * const found = await findPools(client, { venues, tokens })
 * const market = await loadSnapshot(client, { ...found, venues, wrappedNative })
 */
export async function findPools(
  client: Client,
  { tokens, ...given }: { readonly venues: readonly Venue[]; readonly tokens: readonly Address[] },
): Promise<FoundPools> {
  const venues = checkVenues(given.venues)
  const header = await readHeader(client, 'latest')
  const read = createReader(client, header)
  const pairs = pairsOf(tokens)
  const pools: PoolRef[] = []
  const setAside: SetAside[] = []
  const listed = venues.filter((venue) => !isAskedByTokens(venue))
  const discovered = await discoverAll(client, { venues: listed }, header)
  pools.push(...discovered.refs)
  setAside.push(...discovered.setAside)
  for (const venue of venues.filter(isAskedByTokens)) {
    const questions = pairs.flatMap((pair) =>
      findCalls(venue, pair).map((call) => ({ call, pair })),
    )
    const answers = await read(questions.map(({ call }) => call))
    if (answers.every(isAddress)) {
      const ids = answers.map(({ data }) => addressOf(wordAt(data, 0)))
      pools.push(
        ...ids.flatMap((id, i) =>
          BigInt(id) === 0n ? [] : [refAt(venue, id, questions[i]!.pair)],
        ),
      )
    } else {
      const { code, message } = new VenueError(venue)
      setAside.push({ id: venue.factory, venue: venue.id, code, message })
    }
  }
  return { pools, searchedTo: header.number, setAside }
}

function isAddress({ success, data }: CallResult): boolean {
  return success && data.length === 66 && wordAt(data, 0) >> 160n === 0n
}

function pairsOf(tokens: readonly Address[]): readonly TokenPair[] {
  const sorted = [...new Set(tokens.map((token) => token.toLowerCase() as Address))].sort()
  return sorted.flatMap((a, i) => sorted.slice(i + 1).map((b) => [a, b] as const))
}
