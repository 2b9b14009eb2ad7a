import type { Address } from '@braid-swap/core'
import { type Disagreement, watchAgreement } from './agreement.js'
import { type Client, msPerRequest } from './client.js'
import { type HeadsOptions, heads } from './heads.js'
import type { Market } from './market.js'
import type { PoolRef } from './pools/loader.js'
import { refresh } from './refresh.js'
import { type Swept, sweep } from './sweep.js'
import type { Venue } from './venues/venue.js'

/** How to follow a market. */
export type FollowOptions = Pick<HeadsOptions, 'pollMs' | 'signal'> & {
  readonly client: Client
  /** Venues whose new pools join the market. */
  readonly venues: readonly Venue[]
  /** Where to start from, as `loadSnapshot` gave it. */
  readonly start: Market
  /** Pools found since it was last asked, which join the market with the next head. */
  readonly newPools?: () => readonly PoolRef[]
  /** Each new market, in order; never a part of one. */
  readonly onSnapshot: (market: Market) => void
  /**
   * Rounds between two looks whether pools, each in its turn, are in the state their logs told; the
   * chain's answer replaces it, and a DriftError is reported. Default 30; 0: never.
   */
  readonly sweepEvery?: number
  /** Pools looked at at once; default 4, and 1 on a budget, of which a pool with ticks takes much. */
  readonly sweepPools?: number
  /** Each look, whatever it found. */
  readonly onSweep?: (swept: Pick<Swept, 'compared' | 'drifts'>) => void
  /**
   * The client's endpoints have different blocks at one height, or agree again: who quotes meanwhile
   * quotes one of them.
   */
  readonly onDisagreement?: (disagreement: Disagreement | undefined) => void
  /** A round that failed: the market stays as it was, and the next round tries again. */
  readonly onError: (error: unknown) => void
}

/** Keeps a market at the chain's head until the signal aborts. */
export async function followMarket(options: FollowOptions): Promise<void> {
  const { client, signal, onDisagreement } = options
  const watched =
    onDisagreement &&
    watchAgreement(client, { onChange: onDisagreement, ...(signal && { signal }) })
  await Promise.all([followHeads(options), watched])
}

async function followHeads(options: FollowOptions): Promise<void> {
  const { client, venues, onSnapshot, onError, pollMs, signal, onSweep } = options
  const { sweepEvery = 30, sweepPools = msPerRequest(client) > 0 ? 1 : 4 } = options
  let market = options.start
  let past: readonly Market[] = []
  let settled: string | undefined
  let rounds = 0
  const take = (next: Market) => {
    if (next === market || signal?.aborted) return
    const onTrail = new Set(next.trail.map(({ hash }) => hash))
    past = [...past, market].filter(({ snapshot }) => onTrail.has(snapshot.block.hash))
    market = next
    onSnapshot(market)
  }
  const watch = heads(client, {
    ...(pollMs !== undefined && { pollMs }),
    ...(signal && { signal }),
    isSettled: ({ header }) => header.hash === settled,
    onError,
  })
  for await (const head of watch) {
    try {
      const found = options.newPools?.() ?? []
      market = withPools(market, found)
      past = past.map((earlier) => withPools(earlier, found))
      take(await refresh(client, market, { head, venues, past }))
      settled = head.header.hash
      rounds += 1
      if (sweepEvery === 0 || rounds % sweepEvery !== 0 || market.pools.length === 0) continue
      const ids = turnOf(market, rounds / sweepEvery - 1, sweepPools)
      const swept = await sweep(client, market, { ids, venues })
      take(swept.market)
      onSweep?.(swept)
      // What was wrong now was wrong before.
      if (swept.drifts.length > 0) past = []
      for (const drift of swept.drifts) onError(drift)
    } catch (error) {
      onError(error)
    }
  }
}

function withPools(market: Market, refs: readonly PoolRef[]): Market {
  const known = new Set(market.pools.map(({ id }) => id))
  const added = refs.filter(({ id }) => !known.has(id))
  return added.length === 0 ? market : { ...market, pools: [...market.pools, ...added] }
}

/** The pools whose turn it is to be looked at. */
function turnOf({ pools }: Market, turn: number, count: number): readonly Address[] {
  const first = turn * count
  return [
    ...new Set(Array.from({ length: count }, (_, i) => pools[(first + i) % pools.length]!.id)),
  ]
}
