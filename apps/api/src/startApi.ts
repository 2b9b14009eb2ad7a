import type { AddressInfo } from 'node:net'
import { hyperEvmHubs, steadyMs } from '@braid-swap/chain'
import type { Logger } from 'pino'
import { openAdmission } from './admission/admission.js'
import { createApp } from './app.js'
import { type ApiConfig, configDefaults } from './config.js'
import { openPage } from './docs/page.js'
import { close, createHttpServer, listen } from './http/httpServer.js'
import { createLog } from './http/log.js'
import { addProcessMetrics, createMetrics, type Metrics } from './http/metrics.js'
import { addNodeMetrics } from './http/nodeMetrics.js'
import { openKeyStore } from './keys/keyStore.js'
import { createLoading } from './market/bootstrap.js'
import { followChain, type LiveMarket } from './market/liveMarket.js'
import { refusedTokens } from './market/refusedTokens.js'
import { healthOf, openClients } from './node/clients.js'
import { watchRouter } from './node/deployment.js'
import { readTokenList } from './tokens/tokenList.js'

/** Options of {@link startApi}. Absent ones have the defaults of the configuration. */
export type StartOptions = Pick<ApiConfig, 'rpcUrls' | 'keysFile' | 'router'> &
  Partial<ApiConfig> & { readonly log?: Logger }

/** A listening API. */
export type RunningApi = {
  /** Without a slash at the end. */
  readonly url: string
  /** URL for Prometheus, if metrics are served. */
  readonly metricsUrl?: string
  /** Resolves when the first market is loaded. Until then the endpoints answer NOT_READY. */
  readonly ready: Promise<void>
  readonly market: LiveMarket
  /** Stops following and listening. Requests in progress are answered first. */
  readonly stop: () => Promise<void>
}

/**
 * Follows the market and listens. Throws {@link KeysFileError}, {@link TokenListError},
 * {@link RouterUnconfirmedError} if the node has another contract at the router's address, or the
 * system's error if the port is taken.
 *
 * @example
 * const api = await startApi({ rpcUrls: [rpcUrl], keysFile, router, venues, port: 0 })
 * await api.ready
 */
export async function startApi(options: StartOptions): Promise<RunningApi> {
  const config: ApiConfig = { ...configDefaults, ...options }
  const log = options.log ?? createLog({ level: config.logLevel, rpcUrls: config.rpcUrls })
  const keys = await openKeyStore(config.keysFile)
  const clients = openClients(config)
  const { client, reader, searcher } = clients
  const tokenList = readTokenList(config.tokenListFile, client.chain.id)
  const stopping = new AbortController()
  const { signal } = stopping
  const routerCode = await watchRouter({ ...config, client, signal, log })
  const { venues, pollMs } = config
  const tokens = [...hyperEvmHubs, ...tokenList.keys()]
  const loading = createLoading({
    ...{ ...config, client, searcher, tokens, log },
    signal,
  })
  const server = createHttpServer()
  const address = await listen(server, config)
  const market = followChain({
    ...{ client, venues, pollMs, log, load: loading.load },
    ...{ newPools: loading.newPools, progress: loading.progress, onMarket: loading.keep },
    refused: refusedTokens(tokenList),
    signal,
  })
  market.ended.catch((error: unknown) => log.fatal({ err: error }, 'market follower stopped'))
  const metrics = createMetrics(market, steadyMs)
  addProcessMetrics(metrics)
  addNodeMetrics(metrics, () => healthOf(clients))
  const page = openPage()
  if (!page) log.warn('the page is not built; / returns JSON to browsers too')
  const admission = openAdmission(config)
  const app = createApp({
    ...{ market, admission, keys, log, metrics, routerCode, client: reader },
    ...(page && { page }),
    config: { ...config, chainId: client.chain.id, tokenList },
  })
  server.on('connection', admission.accepted)
  server.on('request', app.callback())
  const url = urlOf(address)
  const { host, metricsPort } = config
  const observed =
    metricsPort === undefined ? undefined : await serveMetrics(metrics, { host, port: metricsPort })
  log.info({ url, metricsUrl: observed?.url }, 'listening')
  const stop = async () => {
    stopping.abort()
    await close(server)
    await market.ended.catch(() => {})
    await routerCode.ended
    await loading.flush()
    await observed?.stop()
  }
  return { url, ...(observed && { metricsUrl: observed.url }), ready: market.ready, market, stop }
}

/** Serves `/metrics` on a separate port, which callers need not reach. */
async function serveMetrics(
  { registry }: Metrics,
  at: { readonly host: string; readonly port: number },
) {
  const server = createHttpServer((request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end()
    return registry.metrics().then((text) => {
      response.writeHead(200, { 'content-type': registry.contentType }).end(text)
    })
  })
  const url = `${urlOf(await listen(server, at))}/metrics`
  return { url, stop: () => close(server) }
}

function urlOf({ family, address, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
