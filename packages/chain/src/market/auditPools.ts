// Audits pools: reads them again and compares the result with the state derived from their logs. It
// detects what no log reports, such as a contract that changes state silently.

import { isDeepStrictEqual } from 'node:util'
import type { Address, Pool } from '@braid-swap/core'
import { advance } from '@braid-swap/core/advanced'
import type { Venue } from '../pools/venue.js'
import { readHeader } from '../reads/headers.js'
import type { Client } from '../transport/client.js'
import type { PriceGuard } from '../trust/priceGuard.js'
import { pricesBefore } from './gasPrice.js'
import type { Market } from './market.js'
import { settle } from './settle.js'
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
 * market if nothing differs, or if its block is no longer on the chain. Throws RPC_FAILED.
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
  const { snapshot, receivedAtMs } = market.state
  const { block, pools, wrappedNative } = snapshot
  const target = await readHeader(client, block.number)
  if (target.hash !== block.hash) return { market, compared: 0, drifts: [] }
  const audited = new Set(ids)
  const own = pools.filter(({ id }) => id !== wrappedNative)
  const synced = await syncPools(client, {
    ...{ base: block, venues, target, reload: ids },
    read: market.cursor.read,
    pools: new Map(own.filter(({ id }) => !audited.has(id)).map((pool) => [pool.id, pool])),
    refs: new Map(market.state.pools.map((ref) => [ref.id, ref])),
    // The state of a sampled pool cannot be derived from logs.
    derived: own.filter(({ id, sampledAt }) => audited.has(id) && sampledAt === undefined),
  })
  const { before: gasPrices } = pricesBefore(market.state)
  const { trail } = market.cursor
  const next = await settle(client, market, { synced, gasPrices, trail, receivedAtMs, guard })
  const after = next.state.snapshot
  const derived = [...synced.derived.values()]
  const expected = advance(snapshot, { block: after.block, pools: derived })
  const read = new Map(after.pools.map((pool) => [pool.id, pool]))
  // A deep comparison, because the two states may have their fields in different order.
  const isRead = (pool: Pool) => isDeepStrictEqual(pool, read.get(pool.id))
  const drifted = expected.pools.filter((pool) => synced.derived.has(pool.id) && !isRead(pool))
  const drifts = drifted.map(({ id }) => new DriftError(id, after.block.number))
  const isSame = after.block === block && after.pools.length === pools.length
  const isKept = isSame && pools.every(isRead)
  return { market: isKept ? market : next, compared: derived.length, drifts }
}
