// The market after a synchronisation: tests the tokens that are new, and leaves out what cannot be traded or is off the
// market. A load, a followed head and an audit all end here.

import type { Address, Snapshot } from '@braid-swap/core'
import { advance } from '@braid-swap/core/advanced'
import type { SetAside } from '../pools/setAside.js'
import type { Client } from '../transport/client.js'
import { type PriceGuard, withinPrices } from '../trust/priceGuard.js'
import { blockOf, type GasPrices } from './gasPrice.js'
import type { Market, TrailBlock } from './market.js'
import { withMostPools } from './mostPools.js'
import { failingAfter } from './retries.js'
import type { SyncedPools } from './syncedPools.js'
import {
  dropUnusedTokens,
  flawedAfter,
  readMarketTokens,
  type Split,
  splitUsable,
  type TestedTokens,
} from './tradablePools.js'

/** Blocks kept in the trail: a reorganisation up to this depth is undone pool by pool. */
const TRAIL = 64

/** What a market advances by. */
export type Step = {
  readonly synced: SyncedPools
  readonly gasPrices: GasPrices
  /** The part of the trail that is still on the chain. */
  readonly trail: readonly TrailBlock[]
  readonly receivedAtMs: number
  readonly guard: PriceGuard | undefined
}

/** The market with the pools that a synchronisation changed. Throws as the node does. */
export async function settle(
  client: Client,
  { state, cursor, trust }: Market,
  step: Step,
): Promise<Market> {
  const { synced, gasPrices, receivedAtMs, guard } = step
  const { header, moved, refs } = synced
  const changed = [...moved].flatMap((id) => synced.pools.get(id) ?? [])
  const { tokens: known, wrappedNative } = state.snapshot
  const met = await readMarketTokens(client, changed, { header, known, wrappedNative })
  const flawed = flawedAfter(trust.flawed, met, header.number)
  const usable = splitUsable(changed, flawed)
  const trail = [...step.trail, ...synced.recentBlocks].slice(-TRAIL)
  const { snapshot, isReduced } = snapshotAfter(state.snapshot, { ...step, trail }, usable, met)
  const place = { guard, header, snapshot, rates: trust.rates }
  const near = await withinPrices(client, usable.pools, place)
  const still = ({ id, code }: SetAside) =>
    code === 'VENUE_UNREADABLE' || code === 'HISTORY_NOT_KEPT' || (refs.has(id) && !moved.has(id))
  const setAside = [
    ...[...state.setAside.filter(still), ...asideOf(synced)],
    ...[...usable.setAside, ...near.setAside],
  ]
  const isLess = isReduced || near.setAside.length > 0
  const served = isLess ? dropUnusedTokens(without(snapshot, near.setAside)) : snapshot
  const failing = failingAfter(cursor.failing, { setAside, read: moved, number: header.number })
  return {
    state: withMostPools({
      ...state,
      ...{ snapshot: served, pools: [...refs.values()], setAside, gasPrices, receivedAtMs },
    }),
    cursor: { ...cursor, trail, failing, ...(synced.read && { read: synced.read }) },
    trust: {
      ...trust,
      flawed,
      ...(near.rates && { rates: near.rates }),
      // An audit may read no sampled pool, and then compares none.
      ...(near.pricesCompared !== undefined && { pricesCompared: near.pricesCompared }),
    },
  }
}

/** The snapshot of the new block, and whether it may have tokens of no pool. */
function snapshotAfter(
  before: Snapshot,
  { synced, gasPrices, trail }: Step,
  usable: Split,
  { tokens }: TestedTokens,
) {
  const { header, pools } = synced
  const emptied = new Set<string>(usable.setAside.map(({ id }) => id))
  const removed = before.pools
    .map(({ id }) => id)
    .filter((id) => id !== before.wrappedNative && (!pools.has(id) || emptied.has(id)))
  const beside = trail.slice(0, -1).findLast(({ gasLimit }) => gasLimit !== undefined)
  const neighbour = beside?.gasLimit ?? header.gasLimit
  const isHere = header.hash === before.block.hash
  const block = isHere ? before.block : blockOf(header, { gasPrices, neighbour })
  const snapshot = advance(before, { block, pools: usable.pools, removed, tokens })
  return { snapshot, isReduced: removed.length > 0 || tokens.length > 0 }
}

function without(snapshot: Snapshot, setAside: readonly SetAside[]): Snapshot {
  const out = new Set<string>(setAside.map(({ id }) => id))
  return { ...snapshot, pools: snapshot.pools.filter(({ id }) => !out.has(id)) }
}

/** The pools that could not be read, with the reason. */
function asideOf({ failures, refs }: SyncedPools): SetAside[] {
  const venueOf = (id: Address) => refs.get(id)?.venue ?? ''
  return [...failures].map(([id, { code, message }]) => ({ id, venue: venueOf(id), code, message }))
}
