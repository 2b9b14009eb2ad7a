import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Logger, pino } from 'pino'
import { createApp } from './app.js'
import { openClients } from './clients.js'
import { type ApiConfig, configDefaults } from './config.js'
import { openKeyStore } from './keyStore.js'
import { createLoading } from './loading.js'
import { followChain, type Market } from './market.js'
import { readTokenList } from './tokenList.js'

/** What {@link startApi} needs; the rest has the defaults of the environment's configuration. */
export type StartOptions = Pick<ApiConfig, 'rpcUrls' | 'keysFile' | 'router'> &
  Partial<ApiConfig> & { readonly log?: Logger }

/** A listening API. */
export type RunningApi = {
  /** Without a slash at the end. */
  readonly url: string
  /** Resolves when the first market has been read: until then the endpoints answer NOT_READY. */
  readonly ready: Promise<void>
  readonly market: Market
  /** Ends following and listening; requests under way are answered first. */
  readonly stop: () => Promise<void>
}

/**
 * Follows the market and listens. Throws {@link KeysFileError}, {@link TokenListError}, or the
 * system's error if the port is taken.
 *
 * @example
 * const api = await startApi({ rpcUrls: [rpcUrl], keysFile, router, venues, port: 0 })
 * await api.ready
 */
export async function startApi(options: StartOptions): Promise<RunningApi> {
  const config: ApiConfig = { ...configDefaults, ...options }
  const log = options.log ?? pino({ level: config.logLevel })
  const keys = await openKeyStore(config.keysFile)
  const { client, reader } = openClients(config)
  const tokenList = readTokenList(config.tokenListFile, client.chain.id)
  const stopping = new AbortController()
  const { venues, pollMs } = config
  const loading = createLoading({ ...config, client, log })
  const server = createServer()
  const address = await listen(server, config)
  const market = followChain({
    ...{ client, venues, pollMs, log, load: loading.load, onMarket: loading.keep },
    signal: stopping.signal,
  })
  market.ended.catch((error: unknown) => log.fatal({ err: error }, 'following the market ended'))
  const app = createApp({
    ...{ market, keys, log, client: reader },
    config: { ...config, chainId: client.chain.id, tokenList },
  })
  server.on('request', app.callback())
  const url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
  log.info({ url }, 'listening')
  const stop = async () => {
    stopping.abort()
    await close(server)
    await market.ended.catch(() => {})
    await loading.flush()
  }
  return { url, ready: market.ready, market, stop }
}

function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve(server.address() as AddressInfo)
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // Connections that answer now become idle later and would be kept open for seconds.
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    server.close(() => {
      clearInterval(sweep)
      resolve()
    })
  })
}
