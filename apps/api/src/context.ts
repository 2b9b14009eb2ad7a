import type { Client } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import type { Logger } from 'pino'
import type { Admission } from './admission/admission.js'
import type { ChainClock, Clock } from './clock.js'
import type { CompatName } from './compat/names.js'
import type { Demo, Page } from './docs/page.js'
import type { Metrics } from './http/metrics.js'
import type { KeyStore } from './keys/keyStore.js'
import type { Limiter, Limits } from './keys/rateLimiter.js'
import type { LiveMarket } from './market/liveMarket.js'
import type { RecentStates } from './market/recentStates.js'
import type { RouterCode } from './node/deployment.js'
import type { NodeChain } from './node/nodeChain.js'
import type { PageSettings } from './pageSettings.js'
import type { Recorder } from './records/recorder.js'
import type { StreamLimits } from './streams/settings.js'
import type { PriceBook } from './tokens/prices.js'
import type { TokenBook } from './tokens/tokenBook.js'
import type { TokenList } from './tokens/tokenList.js'
import type { Tracing } from './tracing/trace.js'
import type { RequestSchemas } from './wire/requests.js'

/** The settings of the app itself, without network and files. */
export type AppConfig = {
  readonly chainId: number
  /** `tx.to`, and the spender of every approval; lower case. */
  readonly router: Address
  /** Lower case. */
  readonly wrappedNative: Address
  /** Key and account for the page, only on a devnet. */
  readonly demo?: Demo
  /** By default the page has no key, and no site may embed it. */
  readonly page?: PageSettings
  /** Proxies of the operator in front; none by default. */
  readonly proxies?: number
  readonly tokenList: TokenList
  /** Tokens worth one USD, in which prices are quoted, the preferred first; lower case. */
  readonly usdTokens: readonly Address[]
  /** Maximum age of the market state; an older one is refused. */
  readonly maxStateAgeMs: number
  /** If true, the age counts from the timestamp of the block too, and not only from its receipt. */
  readonly checksBlockTime: boolean
  /** Time limit of one request to the node. */
  readonly nodeTimeoutMs: number
  /** Time limit of the solver, which then returns the best route found so far. */
  readonly solveBudgetMs: number
  /** Requests that wait or are in progress; above it a key gets only its share. */
  readonly maxConcurrent: number
  /** Time limit of a request. */
  readonly maxRequestMs: number
  /** Refuse mixed-case addresses with a wrong EIP-55 checksum. */
  readonly strictChecksum: boolean
  /** Selects for `/quote` without `exactQuote`: the exact replay or the pre-computed sum. */
  readonly exactQuoteByDefault: boolean
  /** The enabled drop-in shapes. */
  readonly compat: readonly CompatName[]
  /** Rate limit of a key without its own limits. */
  readonly keyLimits: Limits
  /** If true, requests without a key are answered, and the limits apply to each address. */
  readonly keyless: boolean
  /** Bounds the number and the duration of streams of quotes. */
  readonly streams: StreamLimits
  /** Rate limit of simulations per key, within its other limits. */
  readonly simulationLimits: Limits
}

/** Options of {@link createApp}. */
export type AppOptions = {
  readonly market: LiveMarket
  readonly config: AppConfig
  /** Reads wallets, token names and gas. Quotes never wait for it. */
  readonly client: Client
  readonly keys: KeyStore
  /** Keeps the buckets of the keys; in memory by default. */
  readonly limiter?: Limiter
  /** Tells if transactions and approvals for `config.router` may be returned. */
  readonly routerCode: RouterCode
  /** Tells if the node serves our chain; assumed by default. */
  readonly nodeChain?: NodeChain
  /** Aborts when the server begins to end: streams of quotes end then. */
  readonly ending?: AbortSignal
  /** Returns true while new requests are refused because the server is ending. */
  readonly isDraining?: () => boolean
  /** Served to browsers at `/`. Without it, `/` returns JSON to all clients. */
  readonly page?: Page
  readonly log?: Logger
  /** Told of accepted connections by the server; defaults to a private one. */
  readonly admission?: Admission
  /** Records answered quotes; absent by default. */
  readonly records?: Recorder
  /** Receives traces; absent by default. */
  readonly tracing?: Tracing
  /** Defaults to a private registry. */
  readonly metrics?: Metrics
  /** The clocks of this process by default. */
  readonly clock?: Clock
}

/** The context that every route gets. */
export type Services = Omit<
  AppOptions,
  'log' | 'clock' | 'admission' | 'keys' | 'limiter' | 'metrics' | 'page' | 'ending'
> & {
  readonly tokens: TokenBook
  readonly prices: PriceBook
  readonly schemas: RequestSchemas
  readonly recentStates: RecentStates
  readonly limiter: Limiter
  readonly metrics: Metrics
  readonly clock: Clock
  readonly chainClock: ChainClock
}
