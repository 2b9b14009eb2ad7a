// Audits pools: reads them again and compares the result with the state derived from their logs. It
// detects what no log reports, such as a contract that changes state silently.

import { isDeepStrictEqual } from 'node:util'
import type { Address, Pool } from '@braid-swap/core'
import { advance } from '@braid-swap/core/advanced'
import type { Venue } from '../pools/venue.js'
import { readHeader } from '../reads/headers.js'
import type { Client } from '../transport/client.js'
import type { PriceGuard } from '../trust/priceGuard.js'
import { applySync } from './advanceMarket.js'
import { gasPricesOf } from './gasPrice.js'
import type { Market } from './market.js'
import { DriftError } from './syncErrors.js'
import { syncPools } from './syncPools.js'

/** The result of an audit. */
export type Audit = {
  readonly market: Market
  /** Pools compared with the state derived from their logs. */
  readonly compared: number
  /** The pools that differed. */
  readonly drifts: readonly DriftError[]
}

/**
 * Reads pools again, compares them with the state derived from their logs and takes the chain's
 * state. A pool that was set aside and is readable now joins the market. If the node can only read
 * its latest block, the market advances to it and the comparison is made there. Returns the same
 * market if nothing differs, or if its block is no longer on the chain.
 */
export async function auditPools(
  client: Client,
  market: Market,
  {
    ids,
    venues,
    guard,
  }: {
    readonly ids: readonly Address[]
    readonly venues: readonly Venue[]
    readonly guard?: PriceGuard | undefined
  },
): Promise<Audit> {
  const { block, pools, wrappedNative } = market.snapshot
  const target = await readHeader(client, block.number)
  if (target.hash !== block.hash) return { market, compared: 0, drifts: [] }
  const audited = new Set(ids)
  const own = pools.filter(({ id }) => id !== wrappedNative)
  const synced = await syncPools(client, {
    ...{ base: block, venues, target, reload: ids, read: market.read },
    pools: new Map(own.filter(({ id }) => !audited.has(id)).map((pool) => [pool.id, pool])),
    refs: new Map(market.pools.map((ref) => [ref.id, ref])),
    // The state of a sampled pool cannot be derived from logs.
    derived: own.filter(({ id, sampledAt }) => audited.has(id) && sampledAt === undefined),
  })
  const { receivedAtMs, trail, gasPrices = gasPricesOf(block) } = market
  const next = await applySync(client, market, {
    synced,
    gasPrices,
    trail,
    receivedAtMs,
    guard,
  })
  const derived = [...synced.derived.values()]
  const expected = advance(market.snapshot, { block: next.snapshot.block, pools: derived })
  const read = new Map(next.snapshot.pools.map((pool) => [pool.id, pool]))
  // A deep comparison, because the two states may have their fields in different order.
  const isRead = (pool: Pool) => isDeepStrictEqual(pool, read.get(pool.id))
  const drifted = expected.pools.filter((pool) => synced.derived.has(pool.id) && !isRead(pool))
  const drifts = drifted.map(({ id }) => new DriftError(id, next.snapshot.block.number))
  const isSame = next.snapshot.block === block && next.snapshot.pools.length === pools.length
  const isKept = isSame && pools.every(isRead)
  return { market: isKept ? market : next, compared: derived.length, drifts }
}
