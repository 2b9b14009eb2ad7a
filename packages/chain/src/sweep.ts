import { isDeepStrictEqual } from 'node:util'
import { type Address, advance, BaseError, type Pool } from '@braid-swap/core'
import type { Client } from './client.js'
import { readHeader } from './headers.js'
import type { Market } from './market.js'
import { advanceMarket } from './refresh.js'
import { settle } from './settle.js'
import type { Venue } from './venues/venue.js'

/** What a look at some pools found. */
export type Swept = {
  readonly market: Market
  /** Pools read again whose logs had told a state. */
  readonly compared: number
  /** Those whose logs had led elsewhere. */
  readonly drifts: readonly DriftError[]
}

/**
 * Reads pools again and takes the chain's answer, which is compared with what their logs told; a pool
 * set aside that can be read by now joins. Where the node can only read its latest block, the market
 * is brought there, and the comparison is made at that block. The market is given back as it is where
 * nothing is different, or its block has left the chain.
 */
export async function sweep(
  client: Client,
  market: Market,
  { ids, venues }: { readonly ids: readonly Address[]; readonly venues: readonly Venue[] },
): Promise<Swept> {
  const { block, pools, wrappedNative } = market.snapshot
  const target = await readHeader(client, block.number)
  if (target.hash !== block.hash) return { market, compared: 0, drifts: [] }
  const swept = new Set(ids)
  const own = pools.filter(({ id }) => id !== wrappedNative)
  const settled = await settle(client, {
    ...{ base: block, venues, target, reload: ids },
    pools: new Map(own.filter(({ id }) => !swept.has(id)).map((pool) => [pool.id, pool])),
    refs: new Map(market.pools.map((ref) => [ref.id, ref])),
    // A pool that is asked for its answers has no state for logs to tell.
    told: own.filter(({ id, sampledAt }) => swept.has(id) && sampledAt === undefined),
  })
  const { gasPrice } = block
  const { receivedAtMs, trail } = market
  const next = await advanceMarket(client, market, { settled, gasPrice, trail, receivedAtMs })
  const told = [...settled.told.values()]
  const expected = advance(market.snapshot, { block: next.snapshot.block, pools: told })
  const read = new Map(next.snapshot.pools.map((pool) => [pool.id, pool]))
  // A state that logs told may have its fields in another order than one that was read.
  const isRead = (pool: Pool) => isDeepStrictEqual(pool, read.get(pool.id))
  const drifted = expected.pools.filter((pool) => settled.told.has(pool.id) && !isRead(pool))
  const drifts = drifted.map(({ id }) => new DriftError(id, next.snapshot.block.number))
  const isSame = next.snapshot.block === block && next.snapshot.pools.length === pools.length
  const isKept = isSame && pools.every(isRead)
  return { market: isKept ? market : next, compared: told.length, drifts }
}

/** A pool's logs had led to another state than the chain has. */
export class DriftError extends BaseError {
  readonly code = 'POOL_DRIFTED'

  constructor(pool: Address, block: bigint) {
    super(`pool ${pool} is not in the state its logs told, at block ${block}`, {
      pool,
      block: `${block}`,
    })
  }
}
