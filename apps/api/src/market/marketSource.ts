/**
 * Opens the source of the market: the chain, another process that follows the chain, or a file. With
 * the market come the verdicts on the router and on the node's chain, because all are what a node
 * says.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { steadyMs } from '@braid-swap/chain'
import { knownExecutors } from '@braid-swap/contracts'
import type { MarketFeed, RedisFeed } from '@braid-swap/feed'
import type { Logger } from 'pino'
import type { ApiConfig } from '../config/config.js'
import type { Clients } from '../node/clients.js'
import { type RouterWatch, watchRouter } from '../node/deployment.js'
import { type NodeChainWatch, watchNodeChain } from '../node/nodeChain.js'
import type { TokenList } from '../tokens/tokenList.js'
import { trustedTokens } from '../tokens/trustedTokens.js'
import { createBootstrap } from './bootstrap.js'
import { type FollowedMarket, followChain } from './liveMarket.js'
import { followPublished, type PublishedMarket } from './publishedMarket.js'
import { type Publishing, type PublishTo, startPublishing } from './publishing.js'
import { openRecorded } from './recordedMarket.js'
import { refusedTokens } from './refusedTokens.js'

/** A market that can be followed, the router of its chain, and the chain of its node. */
export type MarketSource = {
  readonly routerCode: RouterWatch
  readonly nodeChain: NodeChainWatch
  /** Begins to follow. Called once. */
  readonly follow: () => FollowedMarket
  /** Resolves when everything that this process keeps for others is saved or given up. */
  readonly flush: () => Promise<void>
  /** Attempts to save the market that failed, since the start. */
  readonly failedSaves: () => number
  /** Present if this process publishes the market. */
  readonly publishing?: Publishing
  /** Times that the feed had to be loaded again; absent if the market comes from the chain. */
  readonly interruptions?: () => number
}

/** Waits for a source to end and to save, both together at most `limitMs`, because a node may be silent. */
export async function endSource(
  source: MarketSource,
  market: FollowedMarket,
  limitMs: number,
): Promise<void> {
  const late = sleep(limitMs, undefined, { ref: false })
  const rest = [market.ended.catch(() => {}), source.routerCode.ended, source.nodeChain.ended]
  await Promise.race([Promise.all(rest), late])
  await Promise.race([source.flush(), late])
}

/** A source needs these besides the settings. */
export type SourceOptions = {
  readonly clients: Clients
  readonly tokenList: TokenList
  readonly signal: AbortSignal
  readonly log: Logger
}

/** Places that a market may come from or go to, besides the chain. */
export type Carriers = {
  /** A market that a program publishes itself. */
  readonly feed?: MarketFeed
  readonly redis?: { readonly feed: RedisFeed; readonly publishTo?: PublishTo }
}

/**
 * Opens the source that the settings name. Throws {@link RouterUnconfirmedError} if the node has another contract at
 * the router's address, and {@link ConfigError} for a file that is no market of the chain.
 */
export async function openSource(
  config: ApiConfig,
  { feed, redis, ...options }: SourceOptions & Carriers,
): Promise<MarketSource> {
  const { marketFile } = config
  if (marketFile !== undefined) return openFile({ ...config, marketFile }, options)
  const published = feed ?? (config.role === 'api' ? redis?.feed : undefined)
  if (published) return openFeed(config, { ...options, feed: published })
  return openChain(config, { ...options, publishTo: redis?.publishTo })
}

/**
 * The market as this process reads it from the chain. Publishes it too, if it is told where to.
 * Throws {@link RouterUnconfirmedError} if the node has another contract at the router's address.
 */
async function openChain(
  config: ApiConfig,
  options: SourceOptions & { readonly publishTo: PublishTo | undefined },
): Promise<MarketSource> {
  const { clients, tokenList, signal, log, publishTo } = options
  const { client, searcher } = clients
  const { venues, pollMs, venueStates, rateSources } = config
  const trusted = trustedTokens({ ...config, tokenList })
  const sources = rateSources === 'all' ? undefined : new Set([...trusted, ...rateSources])
  const guard = { ...config.guard, sources }
  const routerCode = await watchRouter({ ...config, client, signal, log })
  // What a swap would name: a token may treat an address without code in another way.
  const [deployed = knownExecutors(config.router, config.wrappedNative)[0]] = routerCode.executors()
  const counterparty = deployed.address
  const tokens = [...config.chain.hubs, ...tokenList.keys()]
  const bootstrap = createBootstrap({ ...config, guard, client, searcher, tokens, log, signal })
  // Changes come only later, when there is something to publish.
  const publishStatus = () => publishing?.onStatus()
  const nodeChain = watchNodeChain({ ...config, client, signal, log, onChange: publishStatus })
  const publishing =
    publishTo &&
    startPublishing({ ...config, ...publishTo, routerCode, nodeChain, signal, log, now: steadyMs })
  const trials = venueStates && {
    states: venueStates,
    ...{ router: config.router, executor: counterparty },
    trusted: config.intermediates === 'all' ? undefined : trusted,
  }
  const follow = () => {
    const market = followChain({
      ...{ client, venues, guard, counterparty, pollMs, log, load: bootstrap.load },
      ...{ newPools: bootstrap.newPools, progress: bootstrap.progress },
      earning: config.intermediates === 'all' ? undefined : { ...config, trusted },
      ...{ trials, refused: refusedTokens(tokenList) },
      isQuoting: config.role !== 'indexer',
      onMarket: (newest) => {
        bootstrap.keep(newest)
        publishing?.onMarket(newest)
      },
      onDisagreement: publishStatus,
      signal,
    })
    publishing?.describe(market)
    return market
  }
  const flush = async () => {
    await publishing?.ended
    await bootstrap.flush()
  }
  const { failedSaves } = bootstrap
  return { routerCode, nodeChain, follow, flush, failedSaves, ...(publishing && { publishing }) }
}

/** The market of a file. No node says anything of its router, so no transaction names it. */
function openFile(
  config: ApiConfig & { readonly marketFile: string },
  { tokenList, log }: SourceOptions,
): MarketSource {
  const market = openRecorded(config, { tokenList, log })
  const ended = Promise.resolve()
  return {
    routerCode: { fault: () => 'the market is recorded', executors: () => [], ended },
    nodeChain: { fault: () => undefined, ended },
    follow: () => market,
    flush: () => ended,
    failedSaves: () => 0,
  }
}

/**
 * The market as another process publishes it. Its verdict on the router holds here too, unless this
 * process has a node of its own to ask. A wrong chain of either node is a fault, because the market
 * is what the other one says.
 */
async function openFeed(
  config: ApiConfig,
  options: SourceOptions & { readonly feed: MarketFeed },
): Promise<MarketSource> {
  const { clients, tokenList, signal, log, feed } = options
  const { client } = clients
  const hasNode = config.rpcUrls.length > 0
  let market: PublishedMarket | undefined
  const follow = () => {
    const refused = refusedTokens(tokenList)
    market = followPublished({ feed, refused, signal, log, now: steadyMs })
    return market
  }
  const publishedFault = () => {
    const router = market?.status()?.router
    if (!router) return 'the market and the check of the router are not published yet'
    if (router.address === config.router) return router.fault
    return `the process that follows the chain checks another router, ${router.address}`
  }
  const known = knownExecutors(config.router, config.wrappedNative)
  const publishedExecutors = () => {
    const usable = market?.status()?.router.executors
    return known.filter(({ address }) => usable?.includes(address))
  }
  const routerCode = hasNode
    ? await watchRouter({ ...config, client, signal, log })
    : { fault: publishedFault, executors: publishedExecutors, ended: Promise.resolve() }
  const ownChain = watchNodeChain({ ...config, client, signal, log })
  const chainFault = () => ownChain.fault() ?? market?.status()?.chainFault
  const nodeChain = { fault: chainFault, ended: ownChain.ended }
  const interruptions = () => market?.interruptions() ?? 0
  const flush = async () => {}
  return { routerCode, nodeChain, follow, flush, failedSaves: () => 0, interruptions }
}
