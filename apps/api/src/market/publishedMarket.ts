/** A market that another process follows: read from a feed instead of the chain. */
import { type Address, buildGraph } from '@braid-swap/core'
import { precomputeReference } from '@braid-swap/core/advanced'
import { followFeed, type MarketFeed, type ReadMarket } from '@braid-swap/feed'
import type { Logger } from 'pino'
import { decodeStatus, type FeedStatus } from './feedStatus.js'
import { createListeners } from './listeners.js'
import type { FollowedMarket, MarketState } from './liveMarket.js'
import { withoutTokens } from './refusedTokens.js'
import { createTroubles } from './trouble.js'

/** Options of {@link followPublished}. */
export type PublishedMarketOptions = {
  readonly feed: MarketFeed
  /** Tokens whose pools are excluded. */
  readonly refused: ReadonlySet<Address>
  readonly signal: AbortSignal
  readonly log: Logger
  /** The clock of {@link MarketState.receivedAtMs}. */
  readonly now: () => number
}

/** A market read from a feed. */
export type PublishedMarket = FollowedMarket & {
  readonly status: () => FeedStatus | undefined
  /** Times that the market had to be loaded again, or could not be. */
  readonly interruptions: () => number
}

/** Follows the published market until the signal aborts. */
export function followPublished(options: PublishedMarketOptions): PublishedMarket {
  const { feed, refused, signal, log, now } = options
  let current: MarketState | null = null
  let status: FeedStatus | undefined
  let interruptions = 0
  const troubles = createTroubles(log, now)
  const listeners = createListeners()
  let resolveReady = () => {}
  const ready = new Promise<void>((resolve) => {
    resolveReady = resolve
  })
  const onMarket = (market: ReadMarket) => {
    const receivedAtMs = now() - market.ageMs
    const before = current?.graph
    const isFirst = current === null
    status = decodeStatus(market.status)
    const snapshot = withoutTokens(market.snapshot, refused)
    const graph = precomputeReference(buildGraph(snapshot, before), before)
    current = { graph, receivedAtMs, flawed: market.flawed }
    const { block, pools } = snapshot
    if (isFirst) log.info({ blockNumber: `${block.number}`, pools: pools.length }, 'market loaded')
    troubles.succeeded()
    resolveReady()
    listeners.notify()
  }
  const onError = (error: unknown) => {
    if (current) interruptions += 1
    troubles.failed(error)
  }
  return {
    current: () => current,
    onState: listeners.add,
    disagreement: () => status?.disagreement,
    counts: () => status?.counts ?? { sweptPools: 0, driftedPools: 0, failedRounds: 0 },
    discovery: () => status?.discovery ?? NOTHING_FOUND,
    venues: () => status?.venues ?? [],
    shares: () => status?.shares ?? [],
    earned: () => status?.earned ?? [],
    status: () => status,
    interruptions: () => interruptions,
    trouble: troubles.lasting,
    ready,
    ended: followFeed(feed, { onMarket, onError, signal }),
  }
}

const NOTHING_FOUND = { isDone: false, venues: 0, venuesDone: 0, poolsFound: 0, setAside: {} }
