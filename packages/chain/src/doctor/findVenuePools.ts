// Finds a few pools of a venue for `braid doctor`, in minutes on any chain: between tokens that are known,
// or else by the venue's own factory, from its list or from its first and its newest creation logs.

import type { Address } from '@braid-swap/core'
import { createdBy, creationTopicsOf, isAskedByTokens, isListed } from '../loaders/loaders.js'
import { findPools } from '../market/findPools.js'
import { discoverAll } from '../market/searchPools.js'
import type { Finding } from '../pools/check.js'
import type { PoolRef } from '../pools/loader.js'
import type { Venue } from '../pools/venue.js'
import { readHeader } from '../reads/headers.js'
import { readLogRange } from '../reads/logRange.js'
import { type Client, logRangeOf, profilesOf } from '../transport/client.js'
import { codeFinding } from './codeFinding.js'

/** The findings about a venue's factory, and pools that it created. */
export type VenuePools = {
  readonly findings: readonly Finding[]
  /** The first pools found, enough for a sample and to lend tokens to others. */
  readonly refs: readonly PoolRef[]
}

/** Tokens between which a factory is asked for pools. */
const TOKENS = 12
/** Pools that are kept of those found. */
const KEPT = 50

/**
 * Checks that a venue's factory is one of its family, and finds pools of it. `known` are pools of other
 * venues, whose tokens this one may have pools of too. Throws what the node throws.
 */
export async function findVenuePools(
  client: Client,
  venue: Venue,
  { known, hubs }: { readonly known: readonly PoolRef[]; readonly hubs: readonly Address[] },
): Promise<VenuePools> {
  const subject = venue.id
  const factory = await codeFinding(client, venue.factory, { subject, check: 'factory' })
  if (!factory.holds) return { findings: [factory], refs: [] }
  const found = isAskedByTokens(venue)
    ? await findPools(client, { venues: [venue], tokens: tokensOf(known, hubs) })
    : { pools: [], setAside: [] }
  const own =
    found.pools.length === 0 && !found.setAside.some(isUnreadable)
      ? await ownPools(client, venue)
      : { pools: found.pools, setAside: found.setAside }
  const answers = !own.setAside.some(isUnreadable)
  const count = own.pools.length
  return {
    findings: [
      factory,
      {
        ...{ subject, check: 'factory answers as a', assumed: venue.family, holds: answers },
        found: answers ? venue.family : 'something else',
      },
      { subject, check: 'pools', found: `${count}`, ...countOf(venue, count, answers) },
    ],
    refs: own.pools.slice(0, KEPT),
  }
}

// A venue that names its pairs has a pool of each. Another may have none yet.
function countOf(
  { pairs }: Venue,
  count: number,
  answers: boolean,
): Pick<Finding, 'assumed' | 'holds'> {
  if (pairs) return { assumed: `${pairs.length}, one of each pair`, holds: count === pairs.length }
  return { assumed: 'some', ...(answers && count > 0 && { holds: true }) }
}

type Found = Pick<Awaited<ReturnType<typeof findPools>>, 'pools' | 'setAside'>

const isUnreadable = ({ code }: Found['setAside'][number]) => code === 'VENUE_UNREADABLE'

/** The chain's hubs, and the tokens of the most pools that are known. */
function tokensOf(known: readonly PoolRef[], hubs: readonly Address[]): readonly Address[] {
  const counts = new Map<Address, number>(hubs.map((hub) => [hub, Infinity]))
  for (const token of known.flatMap(({ tokens }) => tokens)) {
    counts.set(token, (counts.get(token) ?? 0) + 1)
  }
  return [...counts]
    .sort(([, a], [, b]) => (a === b ? 0 : b - a))
    .slice(0, TOKENS)
    .map(([token]) => token)
}

/** Blocks at either end of a venue's life whose logs are searched, if a node answers enough at once. */
const WINDOW = 10_000
/** Requests that one end may take. */
const WINDOW_REQUESTS = 20

async function ownPools(client: Client, venue: Venue): Promise<Found> {
  const head = await readHeader(client, 'latest')
  if (isListed(venue)) {
    const { refs, setAside } = await discoverAll(client, { venues: [venue] }, head)
    return { pools: refs, setAside }
  }
  const blocks = BigInt(Math.min(WINDOW, WINDOW_REQUESTS * logRangeOf(client)))
  const kept = profilesOf(client).flatMap(({ history }) => history ?? [])
  const first = [venue.fromBlock ?? 0n, ...kept.map((depth) => head.number - depth)]
  const fromBlock = first.reduce((a, b) => (a > b ? a : b))
  const last = { fromBlock: max(head.number - blocks + 1n, fromBlock), toBlock: head.number }
  const ends = [{ fromBlock, toBlock: min(fromBlock + blocks, head.number) }, last]
  for (const range of ends) {
    const topics = creationTopicsOf([venue])
    const { logs } = await readLogRange(client, { addresses: [venue.factory], topics, ...range })
    const pools = logs.flatMap((log) => createdBy(venue, log) ?? [])
    if (pools.length > 0) return { pools, setAside: [] }
  }
  return { pools: [], setAside: [] }
}

const min = (a: bigint, b: bigint) => (a < b ? a : b)
const max = (a: bigint, b: bigint) => (a > b ? a : b)
