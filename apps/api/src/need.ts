import type { IncomingMessage } from 'node:http'
import type { Client } from '@braid-swap/chain'
import type { Address, Snapshot } from '@braid-swap/core'
import type { Logger } from 'pino'
import type { Admission } from './admission/admission.js'
import type { Clock } from './clock.js'
import type { AppConfig } from './config/appConfig.js'
import type { Wallets } from './execution/wallet.js'
import type { Metrics } from './http/metrics.js'
import type { Page } from './http/page.js'
import type { KeyStore } from './keys/keyStore.js'
import type { Limiter } from './keys/rateLimiter.js'
import type { LiveMarket } from './market/liveMarket.js'
import type { RecentStates } from './market/recentStates.js'
import type { AgeOf } from './market/stateAge.js'
import type { AskNode } from './node/callNode.js'
import type { RouterCode } from './node/deployment.js'
import type { NodeChain } from './node/nodeChain.js'
import type { LearnFrom, Lessons, Suspensions } from './quoting/suspensions.js'
import type { Searcher } from './search/searcher.js'
import type { PriceBook } from './tokens/prices.js'
import type { TokenBook } from './tokens/tokenBook.js'
import type { Identified } from './wire/quoteId.js'
import type { RequestSchemas } from './wire/requests.js'

/** Options of {@link createApp}. */
export type AppOptions = {
  readonly market: LiveMarket
  readonly config: AppConfig
  /** Reads wallets, token names and gas. Quotes never wait for it. */
  readonly client: Client
  readonly keys: KeyStore
  /** Keeps the buckets of the keys; in memory by default. */
  readonly limiter?: Limiter | undefined
  /** Carries what a revert teaches to the other processes; absent for a single one. */
  readonly lessons?: Lessons | undefined
  /** Tells if transactions and approvals for `config.router` may be returned. */
  readonly routerCode: RouterCode
  /** Tells if the node serves our chain; assumed by default. */
  readonly nodeChain?: NodeChain | undefined
  /** Aborts when the server begins to end: streams of quotes end then. */
  readonly ending?: AbortSignal | undefined
  /** Returns true for a request that is refused because the server is ending. */
  readonly isDraining?: ((request: IncomingMessage) => boolean) | undefined
  /** Served to browsers at `/`. Without it, `/` returns JSON to all clients. */
  readonly page?: Page | undefined
  readonly log?: Logger | undefined
  /** Told of accepted connections by the server; defaults to a private one. */
  readonly admission?: Admission | undefined
  readonly search: Searcher
  /** Defaults to a private registry. */
  readonly metrics?: Metrics | undefined
  /** The clocks of this process by default. */
  readonly clock?: Clock | undefined
}

/** What answers are made with, for as long as the API runs. */
export type Need = {
  readonly market: LiveMarket
  readonly config: AppConfig
  readonly client: Client
  readonly askNode: AskNode
  readonly routerCode: RouterCode
  readonly nodeChain: NodeChain | undefined
  readonly log: Logger
  readonly tokens: TokenBook
  /** The tokens that a route may pass unless its caller names others; all if absent. */
  readonly intermediates: ReadonlySet<Address> | undefined
  /** Tokens whose code the operator trusts, whatever routes may pass. */
  readonly trusted: ReadonlySet<Address>
  readonly suspensions: Suspensions
  readonly prices: PriceBook
  readonly search: Searcher
  readonly schemas: RequestSchemas
  readonly recentStates: RecentStates
  readonly limiter: Limiter
  readonly metrics: Metrics
  /** The id of an answer: the same for the same request at the same state. */
  readonly quoteIdAt: (snapshot: Snapshot, request: Omit<Identified, 'suspended'>) => string
  readonly ageMsOf: AgeOf
  readonly wallets: Wallets
  readonly learnFrom: LearnFrom
}
