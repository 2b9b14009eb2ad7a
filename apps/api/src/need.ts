import type { Client, Ledger } from '@braid-swap/chain'
import type { Address, Snapshot } from '@braid-swap/core'
import type { Logger } from 'pino'
import type { AppConfig } from './config/appConfig.js'
import type { Metrics } from './http/metrics.js'
import type { Limiter } from './keys/rateLimiter.js'
import type { LiveMarket } from './market/liveMarket.js'
import type { RecentStates } from './market/recentStates.js'
import type { AgeOf } from './market/stateAge.js'
import type { AskNode } from './node/callNode.js'
import type { RouterCode } from './node/deployment.js'
import type { NodeChain } from './node/nodeChain.js'
import type { Sampler } from './quoting/accuracy.js'
import type { LearnFrom } from './quoting/fault.js'
import type { Searcher } from './search/searcher.js'
import type { PriceBook } from './tokens/prices.js'
import type { TokenBook } from './tokens/tokenBook.js'
import type { Wallets } from './wallets/wallet.js'
import type { Identified } from './wire/quoteId.js'
import type { RequestSchemas } from './wire/requests.js'

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
  readonly intermediates: () => ReadonlySet<Address> | undefined
  /** The trusted tokens, and those that have earned it. */
  readonly vouched: () => ReadonlySet<Address>
  /** Tokens whose code the operator trusts, whatever routes may pass. */
  readonly trusted: ReadonlySet<Address>
  readonly ledger: Ledger
  readonly prices: PriceBook
  readonly search: Searcher
  readonly schemas: RequestSchemas
  readonly recentStates: RecentStates
  readonly limiter: Limiter
  readonly metrics: Metrics
  /** The id of an answer: the same for the same request at the same state. */
  readonly quoteIdAt: (
    snapshot: Snapshot,
    request: Omit<Identified, 'suspended' | 'earned'>,
  ) => string
  readonly ageMsOf: AgeOf
  readonly wallets: Wallets
  readonly learnFrom: LearnFrom
  readonly sampler: Sampler
}
