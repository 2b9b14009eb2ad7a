import type { Client } from './client.js'
import { type HeadsOptions, heads } from './heads.js'
import type { Market } from './market.js'
import { refresh } from './refresh.js'
import type { Venue } from './venues/venue.js'

/** How to follow a market. */
export type FollowOptions = Pick<HeadsOptions, 'pollMs' | 'signal'> & {
  readonly client: Client
  /** Venues whose new pools join the market. */
  readonly venues: readonly Venue[]
  /** Where to start from, as `loadSnapshot` gave it. */
  readonly start: Market
  /** Each new market, in order; never a part of one. */
  readonly onSnapshot: (market: Market) => void
  /** A round that failed: the market stays as it was, and the next round tries again. */
  readonly onError: (error: unknown) => void
}

/** Keeps a market at the chain's head until the signal aborts. */
export async function followMarket(options: FollowOptions): Promise<void> {
  const { client, venues, onSnapshot, onError, pollMs, signal } = options
  let market = options.start
  let settled: string | undefined
  const watch = heads(client, {
    ...(pollMs !== undefined && { pollMs }),
    ...(signal && { signal }),
    isSettled: ({ header }) => header.hash === settled,
    onError,
  })
  for await (const head of watch) {
    let next: Market
    try {
      next = await refresh(client, market, { head, venues })
    } catch (error) {
      onError(error)
      continue
    }
    settled = head.header.hash
    if (next === market || signal?.aborted) continue
    market = next
    onSnapshot(market)
  }
}
