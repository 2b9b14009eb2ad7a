// Advances a market to a new head: by logs on the same branch, from a kept earlier market after a
// reorganisation, and by a full load only if neither is possible.

import type { Address, Hex, Pool } from '@braid-swap/core'
import type { Venue } from '../pools/venue.js'
import { type Head, RESERVE } from '../reads/watchHeads.js'
import { type Client, hasRateLimit, refillMs } from '../transport/client.js'
import { type PriceGuard, staysAside } from '../trust/priceGuard.js'
import { gasPricesAfter, pricesBefore } from './gasPrice.js'
import { type LoadOptions, loadSnapshot } from './loadMarket.js'
import type { Market } from './market.js'
import { isAncestor, type Start, startAfter, withEarned } from './reorganisation.js'
import { retriesAt } from './retries.js'
import { settle } from './settle.js'
import type { Check, SyncedPools, SyncRequest } from './syncedPools.js'
import { syncPools } from './syncPools.js'
import { tokensIn } from './tradablePools.js'
import { countSwaps } from './tradedPools.js'

/** The head to advance to, and the data that may be used. */
export type Target = {
  readonly head: Head
  readonly venues: readonly Venue[]
  /** Markets of earlier blocks, oldest first, to resume from after a reorganisation. */
  readonly past?: readonly Market[]
  /** As in `loadSnapshot`. */
  readonly guard?: PriceGuard | undefined
  /** As in `syncPools`. */
  readonly check?: Check | undefined
}

/**
 * The market at a new head. Applies the logs in between, and reads the pools whose state they do
 * not determine. After a reorganisation it resumes from the latest past market whose block is still
 * on the chain, because that market contains nothing of the abandoned branch. Without one, it reads
 * the pools touched since the common ancestor again, or all pools.
 *
 * Returns the same market if the head is an ancestor of its block (an endpoint that lags). Never
 * changes the given market. Throws a HeadBehindError if the head is older than the trail, and the
 * errors of `syncPools` and {@link loadSnapshot}.
 */
export async function advanceMarket(
  client: Client,
  market: Market,
  target: Target,
): Promise<Market> {
  const { past = [], head } = target
  if (await isAncestor(client, head.header, market.cursor)) return market
  try {
    return await follow(client, { market, trail: market.cursor.trail }, target)
  } catch (error) {
    const markets = [...past, market]
    const start = await startAfter(client, error, { markets, head: head.header })
    const { venues, guard } = target
    if (start.trail.length > 0) return follow(client, start, { head, venues, guard })
    const loaded = await loadSnapshot(client, loadOf(start, { venues, guard }))
    return withEarned(loaded, start.market)
  }
}

/** The load of a market that cannot be followed from any of its blocks. */
function loadOf(
  { market, searchedTo }: Start,
  search: Pick<Target, 'venues' | 'guard'>,
): LoadOptions {
  const { snapshot, pools } = market.state
  const { wrappedNative } = snapshot
  const known = { pools, wrappedNative, rates: market.trust.rates }
  return { ...search, ...known, ...(searchedTo !== undefined && { searchedTo }) }
}

async function follow(client: Client, start: Start, target: Target): Promise<Market> {
  const { head, venues, guard, check } = target
  const { header, receivedAtMs } = head
  const request = requestOf(start, { number: header.number, provedAtOnce: provedAtOnce(client) })
  // Concurrent, so that both share a JSON-RPC batch.
  const [synced, gasPrices] = await Promise.all([
    syncPools(client, { ...request, venues, check, target: header }),
    gasPricesAfter(client, header, pricesBefore(start.market.state)),
  ])
  const step = { synced, gasPrices, trail: start.trail, receivedAtMs, guard }
  const { state, cursor, trust } = await settle(client, start.market, step)
  if (synced.comparison) check?.onCompared?.(synced.comparison)
  const { unproven: _, ...proved } = cursor
  const { unproved, swaps } = synced
  return {
    state: { ...state, traded: countSwaps({ state, trust }, swaps) },
    cursor: { ...proved, ...(unproved.length > 0 && { unproven: unproved }) },
    trust: lookedAt({ state, trust }, synced, venues),
  }
}

/** Pools that a round reads because logs may be missing, and with a rate limit while it has a reserve. */
const PROVED_AT_ONCE = 16
const PROVED_IF_LIMITED = 1

function provedAtOnce(client: Client): number {
  if (!hasRateLimit(client)) return PROVED_AT_ONCE
  return refillMs(client, RESERVE) === 0 ? PROVED_IF_LIMITED : 0
}

/** The reads that bring a market to a block. */
function requestOf(
  { market: { state, cursor }, trail }: Start,
  of: { readonly number: bigint; readonly provedAtOnce: number },
): Omit<SyncRequest, 'venues' | 'target'> {
  const undone = cursor.trail.slice(trail.length)
  const refs = new Map(state.pools.map((ref) => [ref.id, ref]))
  for (const id of undone.flatMap(({ created }) => created)) refs.delete(id)
  const touched = new Set(undone.flatMap((block) => block.touched))
  const { due, waiting } = retriesAt({ state, cursor }, of.number)
  const banned = new Set([
    ...state.setAside.flatMap(({ id, code }) => (code.startsWith('TOKEN_') ? [id] : [])),
    ...waiting.filter((id) => !touched.has(id)),
  ])
  const served = state.snapshot.pools.filter(({ id }) => refs.has(id))
  const pools = new Map(served.map((pool) => [pool.id, pool]))
  const aside = new Set(state.setAside.filter(staysAside).map(({ id }) => id))
  const unread = [...refs.keys()].filter((id) => !pools.has(id) && !aside.has(id))
  const unproven = cursor.unproven?.slice(0, of.provedAtOnce) ?? []
  const reload = [...touched, ...due, ...unproven, ...unread].filter(
    (id) => refs.has(id) && !banned.has(id),
  )
  for (const id of reload) pools.delete(id)
  return {
    ...{ base: trail.at(-1)!, pools, refs, reload, banned, unproved: cursor.unproven },
    ...(undone.length === 0 && { read: cursor.read }),
  }
}

/** What the court is to look at after a round: what says in a log that its behaviour may have changed. */
function lookedAt(
  { state, trust }: Omit<Market, 'cursor'>,
  { changedBehaviour }: SyncedPools,
  venues: readonly Venue[],
): Market['trust'] {
  const { toTest: _, toTry: __, ...known } = trust
  const toTest = tokensIn({ state, trust }).filter((token) => changedBehaviour.has(token))
  const toTry = changedPools(state.snapshot.pools, venues, changedBehaviour)
  return { ...known, ...(toTest.length > 0 && { toTest }), ...(toTry.length > 0 && { toTry }) }
}

/** The pools that say in a log that their behaviour may have changed, or whose manager or factory does. */
function changedPools(
  pools: readonly Pool[],
  venues: readonly Venue[],
  changed: ReadonlySet<Address>,
): readonly Hex[] {
  if (changed.size === 0) return []
  const own = venues.filter(({ factory }) => changed.has(factory.toLowerCase() as Address))
  const ids = new Set(own.map(({ id }) => id))
  const isChanged = ({ id, manager, venue, watched = [] }: Pool) =>
    ids.has(venue) || [id, manager, ...watched].some((one) => one && changed.has(one))
  return pools.filter(isChanged).map(({ id }) => id)
}
