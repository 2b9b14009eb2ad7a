// What the processes share that the benchmark starts: they publish the recorded market to a feed, let
// blocks change it, and answer the questions of their parent.

import { type Graph, type Snapshot, stringify } from '@braid-swap/core'
import { createPublisher, type Lease, type MarketFeed } from '@braid-swap/feed'
import type { Answer, Question, Ready } from './messages.js'
import { createMovingMarket, createSolverAlone, type MovingMarket } from './movingMarket.js'
import { pathOf, ROUTER, type ServedMarket } from './servedMarket.js'

/** A limit that no run reaches. */
export const NEVER_MS = 86_400_000

/** The same array for every block: a new one is a change. */
const NO_FLAWS: readonly never[] = []

/** A market that is published, with its blocks. */
export type PublishedMarket = {
  readonly market: MovingMarket
  /** Resolves when the first market is published. */
  readonly published: Promise<void>
  /** Stops the blocks and the publisher. */
  readonly stop: () => Promise<void>
}

/** Publishes a market, and then each of its blocks. */
export function publishMarket(
  snapshot: Snapshot,
  { feed, lease }: { readonly feed: MarketFeed; readonly lease: Lease },
): PublishedMarket {
  const ending = new AbortController()
  const publisher = createPublisher({
    ...{ feed, lease, maxAgeMs: NEVER_MS, signal: ending.signal },
    onError: (error) => console.error(error),
  })
  const status = stringify({ router: { address: ROUTER } })
  const publish = (next: Snapshot) =>
    publisher.update({ snapshot: next, flawed: NO_FLAWS, status, ageMs: 0 })
  const market = createMovingMarket(snapshot, publish)
  const published = publisher.flushed()
  publish(snapshot)
  const stop = async () => {
    market.setBlocks(false)
    ending.abort()
    await publisher.ended
  }
  return { market, published, stop }
}

/** Says that the process is ready, and answers its parent until that asks it to end. */
export function answerParent(
  { snapshot, orders, isSmall }: ServedMarket,
  of: Pick<PublishedMarket, 'market'> &
    Pick<Ready, 'url' | 'key' | 'polite' | 'flooding'> & {
      /** The graph that the solver alone is measured on. */
      readonly graph: () => Graph
      readonly stop: () => Promise<void>
    },
): void {
  const { market, graph, stop, url, key, polite, flooding } = of
  const alone = createSolverAlone(orders)
  process.on('message', async (question: Question) => {
    const send = (answer: Answer) => process.send!(answer)
    if (question.ask === 'solver') send({ solved: alone.time(graph(), question.seconds) })
    if (question.ask === 'cpu') {
      const { user, system } = process.cpuUsage()
      send({ cpuMs: (user + system) / 1_000 })
    }
    if (question.ask === 'blocks') {
      market.setBlocks(question.on)
      send({})
    }
    if (question.ask === 'end') {
      await stop()
      process.exit()
    }
  })
  process.send!({
    ...{ url, key, polite, flooding, pools: snapshot.pools.length },
    ...{ paths: orders.map(pathOf), isSmall },
  } satisfies Ready)
}
