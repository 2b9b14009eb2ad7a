import type { Client } from '@braid-swap/chain'
import type { Address } from '@braid-swap/core'
import type { Logger } from 'pino'
import type { CompatName } from './compat/index.js'
import type { RouterCode } from './deployment.js'
import type { History } from './history.js'
import type { KeyStore } from './keyStore.js'
import type { Limiter, Limits } from './limiter.js'
import type { Market } from './market.js'
import type { Metrics } from './metrics.js'
import type { Demo, Page } from './page.js'
import type { PriceBook } from './prices.js'
import type { Retirement } from './retirement.js'
import type { TokenBook } from './tokenBook.js'
import type { TokenList } from './tokenList.js'
import type { RequestSchemas } from './wire/requests.js'

/** The settings of the app itself: what is neither network nor file. */
export type AppConfig = {
  readonly chainId: number
  /** `tx.to`, and the spender of every approval; lower case. */
  readonly router: Address
  /** Lower case. */
  readonly wrappedNative: Address
  /** Only on a devnet: what its page may use. */
  readonly demo?: Demo
  readonly tokenList: TokenList
  /** Tokens worth one USD that prices are quoted in, the preferred first; lower case. */
  readonly usdTokens: readonly Address[]
  /** A market whose head was received longer ago is refused. */
  readonly maxStateAgeMs: number
  /** How long the node may take for one question. */
  readonly nodeTimeoutMs: number
  /** The search for a route ends after this long with the best one found so far. */
  readonly solveBudgetMs: number
  /** Requests that may be under way at once. */
  readonly maxConcurrent: number
  /** A request that takes longer is given up. */
  readonly maxRequestMs: number
  /** Refuse mixed-case addresses with a wrong EIP-55 checksum. */
  readonly strictChecksum: boolean
  /** What `/quote` does without `exactQuote`: the exact walk or the pre-computed sum. */
  readonly exactQuoteByDefault: boolean
  /** The drop-in shapes that are switched on. */
  readonly compat: readonly CompatName[]
  /** What a key may ask for whose own limits the operator did not set. */
  readonly keyLimits: Limits
  /** What any key may ask for of simulations, within that. */
  readonly simulationLimits: Limits
  /** Announced in every answer of version 1; nothing is if absent. */
  readonly retirement?: Retirement
}

/** What {@link createApp} is made of. */
export type AppOptions = {
  readonly market: Market
  readonly config: AppConfig
  /** Reads wallets, token names and gas; quotes never wait for it. */
  readonly client: Client
  readonly keys: KeyStore
  /** Whether transactions and approvals to `config.router` may be handed out. */
  readonly routerCode: RouterCode
  /** Served to browsers at `/`; without it `/` answers JSON to all. */
  readonly page?: Page
  readonly log?: Logger
  /** Its own, that nobody reads, by default. */
  readonly metrics?: Metrics
  /** Unix milliseconds; `Date.now` by default. */
  readonly now?: () => number
}

/** What every route gets. */
export type RouteParts = Omit<AppOptions, 'log' | 'now' | 'keys' | 'metrics' | 'page'> & {
  readonly tokens: TokenBook
  readonly prices: PriceBook
  readonly schemas: RequestSchemas
  readonly history: History
  readonly limiter: Limiter
  readonly metrics: Metrics
  readonly now: () => number
}
