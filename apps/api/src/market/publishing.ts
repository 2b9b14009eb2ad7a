/** Publishes the market that this process follows, with its status. */
import { type Market as ChainMarket, servedSnapshot } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import { createPublisher, type Lease, type MarketFeed, type Publisher } from '@braid-swap/feed'
import type { Logger } from 'pino'
import type { RouterCode } from '../node/deployment.js'
import type { NodeChain } from '../node/nodeChain.js'
import { encodeStatus } from './feedStatus.js'
import type { LiveMarket } from './liveMarket.js'

/** Place and name under which a market is published. */
export type PublishTo = { readonly feed: MarketFeed; readonly lease: Lease }

/** Options of {@link startPublishing}. */
export type PublishingOptions = PublishTo & {
  readonly router: Address
  readonly routerCode: RouterCode
  readonly nodeChain: NodeChain
  /** A process whose market is older leaves the lead to others. */
  readonly maxStateAgeMs: number
  readonly signal: AbortSignal
  readonly log: Logger
  /** The clock of the market's `receivedAtMs`. */
  readonly now: () => number
}

/** Publishes each market that it receives. */
export type Publishing = Pick<Publisher, 'epoch' | 'ended' | 'flushed'> & {
  readonly onMarket: (market: ChainMarket) => void
  /** Publishes the newest market again, because its status has changed. */
  readonly onStatus: () => void
  /** Sets the market whose status is published. */
  readonly describe: (market: LiveMarket) => void
}

/** Starts to publish; nothing happens before the first market. */
export function startPublishing(options: PublishingOptions): Publishing {
  const { feed, lease, router, routerCode, nodeChain, maxStateAgeMs, signal, log, now } = options
  let described: LiveMarket | undefined
  let newest: ChainMarket | undefined
  let saidFault: string | undefined
  const publisher = createPublisher({
    ...{ feed, lease, maxAgeMs: maxStateAgeMs, signal },
    onError: (error) => {
      const { message } = error as Error
      if (message !== saidFault) log.warn({ err: error }, 'failed to publish the market')
      saidFault = message
    },
    onLead: (epoch) => {
      saidFault = undefined
      if (epoch === undefined) log.info('no longer publishing the market')
      else log.info({ epoch }, 'publishing the market')
    },
  })
  const publish = () => {
    if (!newest || !described) return
    const { flawed } = newest.trust
    const { receivedAtMs } = newest.state
    const snapshot = servedSnapshot(newest)
    const status = encodeStatus(described, {
      router: {
        ...{ address: router, fault: routerCode.fault() },
        executors: routerCode.executors().map(({ address }) => address),
      },
      chainFault: nodeChain.fault(),
    })
    publisher.update({ snapshot, flawed, status, ageMs: now() - receivedAtMs })
  }
  return {
    ...publisher,
    describe: (market) => {
      described = market
      publish()
    },
    onMarket: (market) => {
      newest = market
      publish()
    },
    onStatus: publish,
  }
}
