// Advances a market to a new head: by logs on the same branch, from a kept earlier market after a
// reorganisation, and by a full load only if neither is possible.

import type { Address, Hex, Pool, Snapshot } from '@braid-swap/core'
import { advance } from '@braid-swap/core/advanced'
import type { Venue } from '../pools/venue.js'
import { MAX_CATCH_UP, NotContinuousError, TooFarBehindError } from '../reads/headers.js'
import type { ReadLogs } from '../reads/roundLogs.js'
import { type Head, RESERVE } from '../reads/watchHeads.js'
import { type Client, hasRateLimit, refillMs } from '../transport/client.js'
import { type PriceGuard, staysAside, withinPrices } from '../trust/priceGuard.js'
import type { TokenFlaw } from '../trust/transferTests.js'
import { type GasPrices, gasPricesAfter, gasPricesOf } from './gasPrice.js'
import { asideOf, blockOf, loadSnapshot } from './loadMarket.js'
import type { Market, SetAside, TrailBlock } from './market.js'
import { commonTrail, isBetween, lastOnChain } from './reorganisation.js'
import { failingAfter, retriesAt } from './retries.js'
import { ChainMovedError, HeadBehindError } from './syncErrors.js'
import type { Check, Comparison, SyncedPools } from './syncedPools.js'
import { syncPools } from './syncPools.js'
import {
  dropUnusedTokens,
  type KnownTokens,
  readMarketTokens,
  splitUsable,
  tokensIn,
} from './tradablePools.js'
import { countSwaps } from './tradedPools.js'

/** Blocks kept in the trail: a reorganisation up to this depth is undone pool by pool. */
const TRAIL = 64

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
  /** Receives what the comparison found; the states of pools that drifted were read again. */
  readonly onChecked?: ((found: Comparison) => void) | undefined
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
  const { head, venues, past = [], guard } = target
  if (market.trail.some(({ hash }) => hash === head.header.hash)) return market
  const oldest = market.trail[0]!
  if (head.header.number < oldest.number) throw new HeadBehindError(head.header, oldest)
  if (await isBetween(client, market, head.header)) return market
  try {
    return await follow(client, market, { ...target, trail: market.trail, read: market.read })
  } catch (error) {
    if (error instanceof TooFarBehindError) {
      const searchedTo = market.snapshot.block.number
      return loadAfresh(client, market, { venues, guard, searchedTo })
    }
    const moved = error instanceof NotContinuousError || error instanceof ChainMovedError
    if (!moved) throw error
    const earlier = await lastOnChain(client, [...past, market], head.header)
    if (earlier === market) throw error
    if (earlier) {
      const { trail, read } = earlier
      return follow(client, withFoundSince(earlier, market), { head, venues, guard, trail, read })
    }
    const trail = await commonTrail(client, market.trail, head.header)
    if (trail.length === 0) {
      // Searches again for pools created on the other branch, but not from the first block.
      const searchedTo = oldest.number - MAX_CATCH_UP
      return loadAfresh(client, market, { venues, guard, ...(searchedTo > 0n && { searchedTo }) })
    }
    return follow(client, market, { head, venues, guard, trail })
  }
}

/**
 * The earlier market with the pools that were added to the later one, except those created since.
 */
function withFoundSince(earlier: Market, { pools, trail }: Market): Market {
  const since = trail.filter(({ number }) => number > earlier.snapshot.block.number)
  const known = new Set([
    ...earlier.pools.map(({ id }) => id),
    ...since.flatMap(({ created }) => created),
  ])
  return { ...earlier, pools: [...earlier.pools, ...pools.filter(({ id }) => !known.has(id))] }
}

type Round = Omit<Target, 'past'> & {
  /** The part of the market's trail that is still on the chain. */
  readonly trail: readonly TrailBlock[]
  /** The logs of the newest blocks of that part, if they are known. */
  readonly read?: ReadLogs | undefined
}

/** Pools that a round reads because logs may be missing, and with a rate limit while it has a reserve. */
const PROVED_AT_ONCE = 16
const PROVED_IF_LIMITED = 1

function provedAtOnce(client: Client): number {
  if (!hasRateLimit(client)) return PROVED_AT_ONCE
  return refillMs(client, RESERVE) === 0 ? PROVED_IF_LIMITED : 0
}

async function follow(
  client: Client,
  market: Market,
  { head, venues, guard, trail, read, check, onChecked }: Round,
): Promise<Market> {
  const base = trail.at(-1)!
  const undone = market.trail.slice(trail.length)
  const refs = new Map(market.pools.map((ref) => [ref.id, ref]))
  const pools = new Map<Address, Pool>(
    market.snapshot.pools.filter(({ id }) => refs.has(id)).map((pool) => [pool.id, pool]),
  )
  for (const id of undone.flatMap(({ created }) => created)) {
    refs.delete(id)
    pools.delete(id)
  }
  const touched = new Set(undone.flatMap((block) => block.touched))
  const { due, waiting } = retriesAt(market, head.header.number)
  const banned = new Set([
    ...market.setAside.flatMap(({ id, code }) => (code.startsWith('TOKEN_') ? [id] : [])),
    ...waiting.filter((id) => !touched.has(id)),
  ])
  const aside = new Set(market.setAside.filter(staysAside).map(({ id }) => id))
  const unread = market.pools.filter(({ id }) => !pools.has(id) && !aside.has(id))
  const unproven = market.unproven?.slice(0, provedAtOnce(client)) ?? []
  const reload = [...touched, ...due, ...unproven, ...unread.map(({ id }) => id)].filter(
    (id) => refs.has(id) && !banned.has(id),
  )
  for (const id of reload) pools.delete(id)
  // Concurrent, so that both share a JSON-RPC batch.
  const { block } = market.snapshot
  const [synced, gasPrices] = await Promise.all([
    syncPools(client, {
      ...{ base, pools, refs, reload, banned, venues, read, check },
      ...{ target: head.header, unproved: market.unproven },
    }),
    gasPricesAfter(client, head.header, {
      before: market.gasPrices ?? gasPricesOf(block),
      smallGasLimit: block.gasLimit,
    }),
  ])
  const { receivedAtMs } = head
  const next = await applySync(client, market, {
    synced,
    gasPrices,
    trail,
    receivedAtMs,
    guard,
  })
  if (synced.comparison) onChecked?.(synced.comparison)
  const { unproven: _, toTest: __, toTry: ___, ...advanced } = next
  const toTry = changedPools(next, venues, synced.changedBehaviour)
  const toTest = tokensIn(next).filter((token) => synced.changedBehaviour.has(token))
  return {
    ...advanced,
    traded: countSwaps(next, synced.swaps),
    gasPrices,
    ...(synced.unproved.length > 0 && { unproven: synced.unproved }),
    ...(toTest.length > 0 && { toTest }),
    ...(toTry.length > 0 && { toTry }),
  }
}

/** The pools that say in a log that their behaviour may have changed, or whose manager or factory does. */
function changedPools(
  { snapshot }: Market,
  venues: readonly Venue[],
  changed: ReadonlySet<Address>,
): readonly Hex[] {
  if (changed.size === 0) return []
  const own = venues.filter(({ factory }) => changed.has(factory.toLowerCase() as Address))
  const ids = new Set(own.map(({ id }) => id))
  return snapshot.pools
    .filter(({ id, manager, venue, watched = [] }) => {
      const named = [id, manager, ...watched]
      return ids.has(venue) || named.some((address) => address && changed.has(address))
    })
    .map(({ id }) => id)
}

/** The market with the pools that a synchronisation changed. */
export async function applySync(
  client: Client,
  market: Market,
  next: {
    readonly synced: SyncedPools
    readonly gasPrices: GasPrices
    readonly trail: readonly TrailBlock[]
    readonly receivedAtMs: number
    readonly guard: PriceGuard | undefined
  },
): Promise<Market> {
  const { synced } = next
  const { header, moved, refs } = synced
  const changed = [...moved].flatMap((id) => synced.pools.get(id) ?? [])
  const { tokens: known, wrappedNative } = market.snapshot
  const { tokens, flawed } = await readMarketTokens(client, changed, {
    ...{ header, known, wrappedNative },
  })
  const usable = splitUsable(changed, flawed)
  const trail = [...next.trail, ...synced.recentBlocks].slice(-TRAIL)
  const before = trail.slice(0, -1).findLast(({ gasLimit }) => gasLimit !== undefined)
  const { block } = market.snapshot
  const { gasPrices } = next
  const emptied = new Set<string>(usable.setAside.map(({ id }) => id))
  const removed = market.snapshot.pools
    .map(({ id }) => id)
    .filter((id) => id !== wrappedNative && (!synced.pools.has(id) || emptied.has(id)))
  const advanced = advance(market.snapshot, {
    block:
      header.hash === block.hash
        ? block
        : blockOf(header, { gasPrices, neighbour: before?.gasLimit ?? header.gasLimit }),
    ...{ pools: usable.pools, removed, tokens },
  })
  const near = await withinPrices(client, usable.pools, {
    ...{ guard: next.guard, header, snapshot: advanced, rates: market.rates },
  })
  const still = ({ id, code }: SetAside) =>
    code === 'VENUE_UNREADABLE' || code === 'HISTORY_NOT_KEPT' || (refs.has(id) && !moved.has(id))
  const setAside = [
    ...[...market.setAside.filter(still), ...asideOf(synced)],
    ...[...usable.setAside, ...near.setAside],
  ]
  const isReduced = removed.length > 0 || near.setAside.length > 0 || tokens.length > 0
  const snapshot = isReduced ? dropUnusedTokens(without(advanced, near.setAside)) : advanced
  // An audit may read no sampled pool, and then compares none.
  const pricesCompared = near.pricesCompared ?? market.pricesCompared
  return {
    ...market,
    snapshot,
    pools: [...refs.values()],
    setAside,
    failing: failingAfter(market.failing, { setAside, read: moved, number: header.number }),
    flawed: withFlaws(market.flawed, { tokens, flawed }),
    ...(pricesCompared !== undefined && { pricesCompared }),
    ...(near.rates && { rates: near.rates }),
    receivedAtMs: next.receivedAtMs,
    trail,
    ...(synced.read && { read: synced.read }),
  }
}

function without(snapshot: Snapshot, setAside: readonly SetAside[]): Snapshot {
  const out = new Set<string>(setAside.map(({ id }) => id))
  return { ...snapshot, pools: snapshot.pools.filter(({ id }) => !out.has(id)) }
}

/** The flawed tokens after some tokens were tested, possibly again. */
function withFlaws(before: readonly TokenFlaw[], { tokens, flawed }: KnownTokens) {
  const looked = new Set([...tokens, ...flawed].map(({ address }) => address))
  return looked.size === 0
    ? before
    : [...before.filter(({ address }) => !looked.has(address)), ...flawed]
}

function loadAfresh(
  client: Client,
  market: Market,
  search: Pick<Round, 'venues' | 'guard'> & { readonly searchedTo?: bigint },
): Promise<Market> {
  const { wrappedNative } = market.snapshot
  const { rates } = market
  return loadSnapshot(client, { ...search, pools: market.pools, wrappedNative, rates })
}
