import { isDeepStrictEqual } from 'node:util'
import { type Address, BaseError } from '@braid-swap/core'
import type { Client } from './client.js'
import { readHeader } from './headers.js'
import type { Market } from './market.js'
import { advanceMarket } from './refresh.js'
import { settle } from './settle.js'

/**
 * Reads one pool again at the market's own block, and takes the chain's answer. `drift` tells if the
 * logs had led elsewhere; a pool set aside that can be read by now joins. The market is given back
 * as it is where the node cannot read that block any more.
 */
export async function sweep(
  client: Client,
  market: Market,
  id: Address,
): Promise<{ readonly market: Market; readonly drift?: DriftError }> {
  const { block, pools, wrappedNative } = market.snapshot
  const target = await readHeader(client, block.number)
  if (target.hash !== block.hash) return { market }
  const followed = pools.filter((pool) => pool.id !== wrappedNative && pool.id !== id)
  const settled = await settle(client, {
    base: block,
    pools: new Map(followed.map((pool) => [pool.id, pool])),
    refs: new Map(market.pools.map((ref) => [ref.id, ref])),
    reload: [id],
    venues: [],
    target,
  })
  if (settled.header.hash !== block.hash) return { market }
  const { gasPrice } = block
  const { receivedAtMs, trail } = market
  const next = await advanceMarket(client, market, { settled, gasPrice, trail, receivedAtMs })
  const before = pools.find((pool) => pool.id === id)
  const after = next.snapshot.pools.find((pool) => pool.id === id)
  // A state that logs told may have its fields in another order than one that was read.
  if (isDeepStrictEqual(before, after)) return { market }
  if (before) return { market: next, drift: new DriftError(id, block.number) }
  const joined = next.snapshot.pools.some((pool) => pool.id === id)
  return { market: joined ? next : market }
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
