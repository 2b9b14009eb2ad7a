import type { IncomingMessage } from 'node:http'
import type { Client, Lessons } from '@braid-swap/chain'
import type { Logger } from 'pino'
import type { Admission } from '../admission/admission.js'
import type { Clock } from '../clock.js'
import type { AppConfig } from '../config/appConfig.js'
import type { Metrics } from '../http/metrics.js'
import type { Page } from '../http/page.js'
import type { KeyStore } from '../keys/keyStore.js'
import type { Limiter } from '../keys/rateLimiter.js'
import type { LiveMarket } from '../market/liveMarket.js'
import type { RouterCode } from '../node/deployment.js'
import type { NodeChain } from '../node/nodeChain.js'
import type { Searcher } from '../search/searcher.js'

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
