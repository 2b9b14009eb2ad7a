// Advances a market to a new head: by logs on the same branch, from a kept earlier market after a
// reorganisation, and by a full load only if neither is possible.

import {
  type Address,
  advance,
  BaseError,
  type Hex,
  type Pool,
  type Snapshot,
} from '@braid-swap/core'
import type { Venue } from '../pools/venue.js'
import {
  areOnChain,
  type Header,
  MAX_CATCH_UP,
  NotContinuousError,
  TooFarBehindError,
} from '../reads/headers.js'
import type { Head } from '../reads/watchHeads.js'
import type { TokenFlaw } from '../tokens/transferTests.js'
import type { Client } from '../transport/client.js'
import { gasPriceAt } from './gasPrice.js'
import { asideOf, blockOf, loadSnapshot } from './loadMarket.js'
import type { Market, SetAside, TrailBlock } from './market.js'
import { type PriceGuard, withinPrices } from './priceGuard.js'
import { dueAt, failingAfter } from './retries.js'
import { ChainMovedError } from './syncErrors.js'
import type { SyncedPools } from './syncedPools.js'
import { syncPools } from './syncPools.js'
import { type KnownTokens, readMarketTokens, splitUsable } from './tradablePools.js'

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
}

/**
 * The market at a new head. Applies the logs in between, and reads the pools whose state they do
 * not determine. After a reorganisation it resumes from the latest past market whose block is still
 * on the chain, because that market contains nothing of the abandoned branch. Without one, it reads
 * the pools touched since the common ancestor again, or all pools.
 *
 * Returns the same market if its trail already contains the head (an endpoint that lags). Never
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
  try {
    return await follow(client, market, { head, venues, guard, trail: market.trail })
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
      const { trail } = earlier
      return follow(client, withFoundSince(earlier, market), { head, venues, guard, trail })
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

async function lastOnChain(
  client: Client,
  markets: readonly Market[],
  { number }: Header,
): Promise<Market | undefined> {
  const reachable = markets.filter(({ snapshot }) => snapshot.block.number < number)
  const blocks = reachable.map(({ snapshot }) => snapshot.block)
  return reachable[(await countOnChain(client, blocks)) - 1]
}

type Round = {
  readonly head: Head
  readonly venues: readonly Venue[]
  readonly guard: PriceGuard | undefined
  /** The part of the market's trail that is still on the chain. */
  readonly trail: readonly TrailBlock[]
}

async function follow(
  client: Client,
  market: Market,
  { head, venues, guard, trail }: Round,
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
  const banned = new Set(
    market.setAside.flatMap(({ id, code }) => (code.startsWith('TOKEN_') ? [id] : [])),
  )
  const touched = new Set(undone.flatMap((block) => block.touched))
  // A pool that was off the market in the last block may be back in this one.
  const aside = new Set(
    market.setAside.flatMap(({ id, code }) => (code === 'POOL_OFF_MARKET' ? [] : [id])),
  )
  const unread = market.pools.filter(({ id }) => !pools.has(id) && !aside.has(id))
  const due = dueAt(market, head.header.number)
  const reload = [...touched, ...due, ...unread.map(({ id }) => id)].filter(
    (id) => refs.has(id) && !banned.has(id),
  )
  for (const id of reload) pools.delete(id)
  // Concurrent, so that both share a JSON-RPC batch.
  const [synced, gas] = await Promise.all([
    syncPools(client, {
      ...{ base, pools, refs, reload, banned, venues },
      target: head.header,
    }),
    gasPriceAt(client, market, head),
  ])
  const { receivedAtMs } = head
  const { gasPriceRead, gasPrice } = gas
  const next = await applySync(client, market, {
    synced,
    gasPrice,
    trail,
    receivedAtMs,
    guard,
  })
  return { ...next, ...(gasPriceRead && { gasPriceRead }) }
}

/** The market with the pools that a synchronisation changed. */
export async function applySync(
  client: Client,
  market: Market,
  next: {
    readonly synced: SyncedPools
    readonly gasPrice: bigint
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
  const near = await withinPrices(client, usable.pools, {
    ...{ guard: next.guard, header, tokens: [...known, ...tokens] },
  })
  const split = { pools: near.pools, setAside: [...usable.setAside, ...near.setAside] }
  const trail = [...next.trail, ...synced.recentBlocks].slice(-TRAIL)
  const neighbour = trail.at(-2) ?? header
  const used = new Set(split.pools.flatMap((pool) => pool.tokens))
  const emptied = new Set<string>(split.setAside.map(({ id }) => id))
  const removed = market.snapshot.pools
    .map(({ id }) => id)
    .filter((id) => id !== wrappedNative && (!synced.pools.has(id) || emptied.has(id)))
  const { block } = market.snapshot
  const { gasPrice } = next
  // An audit may read no sampled pool, and then compares none.
  const pricesCompared = near.pricesCompared ?? market.pricesCompared
  const advanced = advance(market.snapshot, {
    block:
      header.hash === block.hash
        ? block
        : blockOf(header, { gasPrice, neighbour: neighbour.gasLimit }),
    pools: split.pools,
    removed,
    tokens: tokens.filter(({ address }) => used.has(address)),
  })
  const snapshot = removed.length > 0 ? dropUnusedTokens(advanced) : advanced
  const still = ({ id, code }: SetAside) =>
    code === 'VENUE_UNREADABLE' || (refs.has(id) && !moved.has(id))
  const setAside = [...market.setAside.filter(still), ...asideOf(synced), ...split.setAside]
  return {
    snapshot,
    pools: [...refs.values()],
    setAside,
    failing: failingAfter(market.failing, { setAside, read: moved, number: header.number }),
    flawed: withFlaws(market.flawed, { tokens, flawed }),
    ...(pricesCompared !== undefined && { pricesCompared }),
    receivedAtMs: next.receivedAtMs,
    trail,
  }
}

/** The flawed tokens after some tokens were tested, possibly again. */
function withFlaws(before: readonly TokenFlaw[], { tokens, flawed }: KnownTokens) {
  const looked = new Set([...tokens, ...flawed].map(({ address }) => address))
  return looked.size === 0
    ? before
    : [...before.filter(({ address }) => !looked.has(address)), ...flawed]
}

function dropUnusedTokens(snapshot: Snapshot): Snapshot {
  const used = new Set(snapshot.pools.flatMap((pool) => pool.tokens))
  return { ...snapshot, tokens: snapshot.tokens.filter(({ address }) => used.has(address)) }
}

/** The part of the trail that is on the chain ending in `head`. */
async function commonTrail(
  client: Client,
  trail: readonly TrailBlock[],
  head: Header,
): Promise<readonly TrailBlock[]> {
  const reachable = trail.filter(({ number }) => number < head.number)
  return reachable.slice(0, await countOnChain(client, reachable))
}

/**
 * Counts the blocks, ascending, that are on the chain, by binary search: all ancestors of a block
 * on the chain are on it too.
 */
async function countOnChain(
  client: Client,
  blocks: readonly { readonly number: bigint; readonly hash: Hex }[],
): Promise<number> {
  let [shared, end] = [0, blocks.length]
  while (shared < end) {
    const middle = (shared + end) >> 1
    if (await areOnChain(client, [blocks[middle]!])) shared = middle + 1
    else end = middle
  }
  return shared
}

function loadAfresh(
  client: Client,
  market: Market,
  search: Pick<Round, 'venues' | 'guard'> & { readonly searchedTo?: bigint },
): Promise<Market> {
  const { wrappedNative } = market.snapshot
  return loadSnapshot(client, { ...search, pools: market.pools, wrappedNative })
}

/** The node's newest block is older than the whole trail: it lags, or its chain was replaced. */
export class HeadBehindError extends BaseError {
  readonly code = 'HEAD_BEHIND'

  constructor(got: { readonly number: bigint }, oldest: { readonly number: bigint }) {
    super(`the node is at block ${got.number}, before the oldest known block ${oldest.number}`, {
      got: `${got.number}`,
      oldest: `${oldest.number}`,
    })
  }
}
