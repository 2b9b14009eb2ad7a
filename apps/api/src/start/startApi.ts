import type { Server } from 'node:http'
import type { Address } from '@braid-swap/core'
import type { MarketFeed } from '@braid-swap/feed'
import type { Logger } from 'pino'
import { openAdmission } from '../admission/admission.js'
import type { Clock } from '../clock.js'
import { type ApiConfig, configDefaults, defaultsOf } from '../config/config.js'
import { ConfigError } from '../config/configError.js'
import type { ErrorCode } from '../errors.js'
import { createDrain } from '../http/drain.js'
import { createHttpServer, listen, urlOf } from '../http/httpServer.js'
import { createLog } from '../http/log.js'
import { serveMetrics } from '../http/metrics.js'
import { openPage } from '../http/page.js'
import { createProcessMetrics } from '../http/processMetrics.js'
import type { KeyStore } from '../keys/keyStore.js'
import { openKeys } from '../keys/openKeys.js'
import type { LiveMarket } from '../market/liveMarket.js'
import { endSource, openSource } from '../market/marketSource.js'
import { openClients } from '../node/clients.js'
import { createIndexerApp } from '../processes/indexerApp.js'
import { hearDoubts, withDoubts } from '../processes/lessons.js'
import { type OpenRedis, startWithRedis } from '../processes/redis.js'
import { openSearchThreads } from '../search/searchThreads.js'
import { readTokenList } from '../tokens/tokenList.js'
import { createApp } from './app.js'
import type { AppOptions } from './appOptions.js'

/** Options of {@link startApi}. Absent ones have the defaults of the configuration. */
export type StartOptions = Pick<ApiConfig, 'rpcUrls' | 'router'> &
  Partial<ApiConfig> & {
    readonly log?: Logger
    /** Those of this process by default. */
    readonly clock?: Clock
    /** A market that a program publishes itself, instead of the chain. */
    readonly feed?: MarketFeed
  }

/** A listening API. */
export type RunningApi = {
  /** Without a slash at the end. */
  readonly url: string
  /** URL for Prometheus, if metrics are served. */
  readonly metricsUrl?: string
  /** Resolves when the first market is loaded. Until then the endpoints answer NOT_READY. */
  readonly ready: Promise<void>
  readonly market: LiveMarket
  /** Stops listening and following. Requests in progress are answered first, within `drainMs`. */
  readonly stop: () => Promise<void>
}

/**
 * Follows the market and listens. Throws {@link ConfigError}, {@link KeysFileError}, {@link TokenListError},
 * {@link RouterUnconfirmedError} if the node has another contract at the router's address, or the
 * system's error if the port is taken.
 *
 * @example
 * const api = await startApi({ rpcUrls: [rpcUrl], keysFile, router, venues, port: 0 })
 * await api.ready
 */
export async function startApi(options: StartOptions): Promise<RunningApi> {
  const { chain = configDefaults.chain } = options
  const config: ApiConfig = { ...configDefaults, ...defaultsOf(chain), ...options }
  const clients = openClients(config)
  const stopping = new AbortController()
  const { signal } = stopping
  const chainId = clients.client.chain.id
  try {
    return await startWithRedis({ ...config, chainId, signal }, (redis) =>
      startWith(options, { config, clients, stopping, redis }),
    )
  } catch (error) {
    stopping.abort()
    throw error
  }
}

/** Opens what a start needs first. */
type Opened = {
  readonly config: ApiConfig
  readonly clients: ReturnType<typeof openClients>
  readonly stopping: AbortController
  readonly redis: OpenRedis | undefined
}

async function startWith(
  options: StartOptions,
  { config, clients, stopping, redis }: Opened,
): Promise<RunningApi> {
  const log = options.log ?? createLog({ level: config.logLevel, rpcUrls: config.rpcUrls })
  const chainId = clients.client.chain.id
  const { signal } = stopping
  const keys = await openKeys(config, { redis, chainId, signal, log })
  if (config.role !== 'indexer') await checkPageKey(keys, config)
  const tokenList = readTokenList(config.tokenListFile, chainId)
  const source = await openSource(config, {
    ...{ clients, tokenList, signal, log },
    ...(options.feed && { feed: options.feed }),
    ...(redis && { redis }),
  })
  const market = source.follow()
  market.ended.catch((error: unknown) => log.fatal({ err: error }, 'market follower stopped'))
  const metrics = createProcessMetrics(market, { clients, source, redis, keys })
  const onRefused = (code: ErrorCode) => metrics.malformed.inc({ code })
  const server = createHttpServer(undefined, { onRefused })
  const ending = createDrain(server)
  const streaming = new AbortController()
  const { limiter, lessons } = redis ?? {}
  hearDoubts(lessons, market)
  const threads =
    config.role === 'indexer' ? undefined : openSearchThreads(config.searchThreads, { log })
  const given = {
    ...{ market: withDoubts(market, lessons), log, metrics, routerCode: source.routerCode },
    ...{ nodeChain: source.nodeChain, isDraining: ending.isDraining, ending: streaming.signal },
    clock: options.clock,
    config: { ...config, chainId, tokenList, factories: factoriesOf(config) },
  }
  const reading = { keys, client: clients.reader, limiter, lessons }
  if (threads) answerQuotes(server, { ...given, ...reading, search: threads.search })
  else server.on('request', createIndexerApp(given).callback())
  const end = async () => {
    stopping.abort()
    await endSource(source, market, config.drainMs)
    await threads?.close()
    redis?.close()
  }
  // Last, because a request that comes before there is a handler would never be answered.
  const address = await listen(server, config).catch(async (error: unknown) => {
    await end()
    throw error
  })
  const url = urlOf(address)
  const { host, metricsPort: port } = config
  const observed = await serveMetrics(metrics.registry, { host, port })
  log.info({ url, metricsUrl: observed?.url }, 'listening')
  const stop = async () => {
    // A stream would never end, so nothing could be drained.
    streaming.abort()
    await ending.drain(config.drainMs)
    await end()
    await observed?.stop()
  }
  return { url, ...(observed && { metricsUrl: observed.url }), ready: market.ready, market, stop }
}

/** A page with a key that is not active would be refused every request. Throws {@link ConfigError}. */
async function checkPageKey(keys: KeyStore, { page }: Pick<ApiConfig, 'page'>): Promise<void> {
  if (page.key === undefined || (await keys.find(page.key))) return
  throw new ConfigError(['BRAID_PAGE_KEY: no active key is this one; make it first'])
}

/** Answers requests to a server with the API, its page included if that is built. */
function answerQuotes(server: Server, options: AppOptions & { readonly log: Logger }): void {
  const page = openPage()
  if (!page) options.log.warn('the page is not built; / returns JSON to browsers too')
  const admission = openAdmission(options.config)
  const app = createApp({ ...options, admission, page })
  server.on('connection', admission.accepted)
  server.on('request', app.callback())
}

function factoriesOf({ venues }: Pick<ApiConfig, 'venues'>): ReadonlySet<Address> {
  return new Set(venues.map(({ factory }) => factory.toLowerCase() as Address))
}
