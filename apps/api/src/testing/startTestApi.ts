import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@braid-swap/chain'
import { knownExecutors } from '@braid-swap/contracts'
import type { Address, Graph } from '@braid-swap/core'
import type { Router } from '@koa/router'
import type { Logger } from 'pino'
import { openAdmission } from '../admission/admission.js'
import type { AppConfig } from '../config/appConfig.js'
import { configDefaults } from '../config/config.js'
import { createHttpServer } from '../http/httpServer.js'
import type { Metrics } from '../http/metrics.js'
import type { Page } from '../http/page.js'
import { openKeyStore } from '../keys/keyStore.js'
import { createKey } from '../keys/keys.js'
import { createListeners } from '../market/listeners.js'
import type { LiveMarket, MarketState } from '../market/liveMarket.js'
import type { Searcher } from '../search/searcher.js'
import { openSearchThreads, type SearchThreads } from '../search/searchThreads.js'
import { createApp } from '../start/app.js'
import { readTokenList } from '../tokens/tokenList.js'

/** The router that the test API names. */
export const TEST_ROUTER = '0x00000000000000000000000000000000000b4a1d'

type TestAnswer<T> = { readonly status: number; readonly headers: Headers; readonly body: T }

/** An API on a frozen market, listening on 127.0.0.1, with a key and a clock that tests set. */
export type TestApi = {
  readonly url: string
  readonly key: string
  readonly keysFile: string
  /** The paths that its routers answer, as templates like `/{chainId}/tokens`. */
  readonly paths: readonly string[]
  /** Replaces the market, as following the chain would. */
  readonly setState: (state: MarketState | null) => void
  /** Moves the API's clocks. */
  readonly setNow: (nowMs: number) => void
  /** Sets the system's clock forward, or back, as an operator may; the steady one stays. */
  readonly stepClock: (ms: number) => void
  /** GET with the key. Returns the response and its parsed body. */
  readonly get: <T = Readonly<Record<string, unknown>>>(
    path: string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<TestAnswer<T>>
  /** GET of an endpoint of `/swap/v1/999/` with a query. */
  readonly ask: <T>(
    endpoint: string,
    params: Readonly<Record<string, string>>,
  ) => Promise<TestAnswer<T>>
  readonly stop: () => Promise<void>
}

/** Limits that no test reaches, because a stopped clock never refills a bucket. */
const UNLIMITED = { rate: 1, burst: 1_000_000 }

/** When the frozen market was received, by the API's clock. */
export const RECEIVED_AT_MS = 1_790_000_000_500

/** Opened by the first test that searches; they end with their process. */
let threads: SearchThreads | undefined
const searchInThreads: Searcher = (...asked) => {
  threads ??= openSearchThreads(2)
  return threads.search(...asked)
}

/** Starts the API on a graph; `rpcUrl` is the node that it asks about tokens and wallets. */
export async function startTestApi(options: {
  readonly graph: Graph
  readonly rpcUrl: string
  readonly config?: Partial<AppConfig>
  readonly metrics?: Metrics
  /** Silent by default. */
  readonly log?: Logger
  readonly page?: Page
  /** Runs the searches; by default the threads that ship, which all tests of a file share. */
  readonly search?: Searcher
  /** Why the router is not confirmed; it is by default, though nothing is there. */
  readonly routerFault?: string
  /** Describes the chain that the node serves instead of ours; ours by default. */
  readonly chainFault?: string
  /** Tokens on no list that have earned that routes pass them. */
  readonly earned?: readonly Address[]
  /** Ends streams of quotes. */
  readonly ending?: AbortSignal
  /** As of a market in a file. */
  readonly recorded?: LiveMarket['recorded']
  /** True if the server has begun to end. */
  readonly isDraining?: boolean
}): Promise<TestApi> {
  const folder = await mkdtemp(join(tmpdir(), 'braid-api-'))
  const keysFile = join(folder, 'keys.json')
  const { key } = await createKey(keysFile, { label: 'test', ...UNLIMITED })
  let state: MarketState | null = { graph: options.graph, receivedAtMs: RECEIVED_AT_MS }
  const listeners = createListeners()
  let nowMs = RECEIVED_AT_MS
  let aheadMs = 0
  const clock = { steadyMs: () => nowMs, unixMs: () => nowMs + aheadMs }
  const { usdTokens, intermediates, maxStateAgeMs, strictChecksum } = configDefaults
  const { keyLimits, keyless, compat, streams } = configDefaults
  const config: AppConfig = {
    ...{ usdTokens, intermediates, maxStateAgeMs, strictChecksum },
    ...{ keyLimits, keyless, compat, streams },
    simulationLimits: UNLIMITED,
    // The machine may be slow; only the test of the limit itself sets it lower.
    nodeTimeoutMs: 30_000,
    // The machine may be slow; only the test of the charge itself sets it.
    requestMs: Number.POSITIVE_INFINITY,
    maxRequestMs: 60_000,
    // The block of the frozen market stays the same while tests move the clock.
    checksBlockTime: false,
    maxConcurrent: configDefaults.maxConcurrent,
    chain: configDefaults.chain,
    chainId: configDefaults.chain.id,
    router: TEST_ROUTER,
    wrappedNative: configDefaults.wrappedNative,
    venues: configDefaults.venues,
    tokenList: readTokenList(configDefaults.tokenListFile, configDefaults.chain.id),
    ...options.config,
  }
  const admission = openAdmission(config)
  const app = createApp({
    market: {
      ...{ current: () => state, onState: listeners.add },
      earned: () => options.earned ?? [],
      ...(options.recorded && { recorded: options.recorded }),
    },
    ...{ ending: options.ending, page: options.page },
    client: createClient(options.rpcUrl, { retryCount: 0 }),
    keys: await openKeyStore(keysFile, clock),
    clock,
    routerCode: {
      fault: () => options.routerFault,
      executors: () => knownExecutors(config.router, config.wrappedNative),
    },
    nodeChain: { fault: () => options.chainFault },
    isDraining: () => options.isDraining ?? false,
    ...{ metrics: options.metrics, log: options.log },
    search: options.search ?? searchInThreads,
    ...{ admission, config },
  })
  const server = createHttpServer(app.callback())
  server.on('connection', admission.accepted)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const get = async <T>(path: string, headers = {}): Promise<TestAnswer<T>> => {
    const response = await fetch(`${url}${path}`, { headers: { apikey: key, ...headers } })
    const text = await response.text()
    const body = (text === '' ? undefined : JSON.parse(text)) as T
    return { status: response.status, headers: response.headers, body }
  }
  return {
    ...{ url, key, keysFile, get },
    ask: (endpoint, params) => get(`/swap/v1/999/${endpoint}?${new URLSearchParams(params)}`),
    paths: pathsOf(app.middleware),
    setState: (next) => {
      state = next
      listeners.notify()
    },
    setNow: (next) => {
      nowMs = next
    },
    stepClock: (ms) => {
      aheadMs += ms
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(folder, { recursive: true })
    },
  }
}

/** The paths of the routers among these, without those that only refuse methods. */
function pathsOf(middleware: readonly object[]): readonly string[] {
  const routers = middleware.flatMap((each) => ('router' in each ? [each.router as Router] : []))
  const paths = routers.flatMap(({ stack }) => stack.map(({ path }) => `${path}`))
  return [...new Set(paths.map((path) => path.replace(/:(\w+)/g, '{$1}')))]
}
