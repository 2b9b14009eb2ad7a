/** The endpoints that need a key, once: the document, the page and the tests read this list. */
import type { z } from 'zod'
import { quotesSchema } from '../wire/quotesBody.js'
import type { RequestSchemas } from '../wire/requests.js'
import * as wire from '../wire/responses.js'

/** An endpoint, as OpenAPI and the other lists of endpoints describe it. */
export type Endpoint = {
  readonly path: string
  readonly tag: keyof typeof tags
  readonly summary: string
  readonly query: keyof RequestSchemas
  readonly body: z.ZodObject
  /** Of a stream of events, whose data the body is; JSON by default. */
  readonly type?: 'text/event-stream'
}

/** Groups of endpoints, in the order of a first use. */
export const tags = {
  Quote: 'The output for an amount of a token.',
  Approve: 'Approvals that let the router spend a token; not needed for the native token.',
  Swap: 'A transaction that is ready to sign.',
  Tokens: 'Token metadata and prices.',
  Market: 'The data that quotes are computed from.',
  Service: 'State of the service; no key is needed.',
  Compatible: 'Endpoints of other services, for their clients; enabled by the operator.',
} as const

const described = [
  {
    path: '/swap/v1/{chainId}/quote',
    tag: 'Quote',
    summary: 'The best available rate',
    query: 'quote',
    body: wire.quoteSchema,
  },
  {
    path: '/swap/v1/{chainId}/quotes',
    tag: 'Quote',
    summary: 'The best available rates of several amounts, all from one state of the market',
    query: 'quotes',
    body: quotesSchema,
  },
  {
    path: '/swap/v1/{chainId}/quote/stream',
    tag: 'Quote',
    summary: 'The best available rate as server-sent events, one for each block that changes it',
    query: 'quoteStream',
    body: wire.streamedQuoteSchema,
    type: 'text/event-stream',
  },
  {
    path: '/swap/v1/{chainId}/swap',
    tag: 'Swap',
    summary: 'An exact quote and the transaction that performs it',
    query: 'swap',
    body: wire.swapSchema,
  },
  {
    path: '/swap/v1/{chainId}/approve/transaction',
    tag: 'Approve',
    summary: 'The transaction that lets the router spend a token',
    query: 'approveTransaction',
    body: wire.approveTransactionSchema,
  },
  {
    path: '/swap/v1/{chainId}/approve/allowance',
    tag: 'Approve',
    summary: 'How much of a token the router may spend',
    query: 'approveAllowance',
    body: wire.allowanceSchema,
  },
  {
    path: '/swap/v1/{chainId}/approve/spender',
    tag: 'Approve',
    summary: 'The contract to approve',
    query: 'none',
    body: wire.spenderSchema,
  },
  {
    path: '/swap/v1/{chainId}/dex-compare',
    tag: 'Quote',
    summary: 'The aggregated quote, and the quotes of single pools',
    query: 'dexCompare',
    body: wire.dexCompareSchema,
  },
  {
    path: '/swap/v1/{chainId}/liquidity-sources',
    tag: 'Market',
    summary: 'The venues of the market and their ids',
    query: 'none',
    body: wire.liquiditySourcesSchema,
  },
  {
    path: '/swap/v1/{chainId}/snapshot',
    tag: 'Market',
    summary: 'The market state that quotes are computed from, for offline use',
    query: 'snapshot',
    body: wire.snapshotSchema,
  },
  {
    path: '/{chainId}/tokens',
    tag: 'Tokens',
    summary: 'Metadata, verification and prices of the tokens of the market',
    query: 'tokens',
    body: wire.tokensSchema,
  },
  {
    path: '/{chainId}/tokens/{address}',
    tag: 'Tokens',
    summary: 'Metadata, verification and prices of a token',
    query: 'none',
    body: wire.tokenSchema,
  },
] as const satisfies readonly Endpoint[]

/** The endpoints that need a key. */
export const endpoints: readonly Endpoint[] = described

/** An endpoint with the types of its own: a route answers each. */
export type Described = (typeof described)[number]
