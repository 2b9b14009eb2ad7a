import { shippedChainId } from '@braid-swap/contracts'
import type { Address } from '@braid-swap/core'
import { badOption, checkNames, ownValue, requireFields } from '@braid-swap/core/advanced'
import type * as z from 'zod/mini'
import { BadAnswerError } from './errors.js'
import {
  type CallOptions,
  getJson,
  getText,
  type HttpSettings,
  openStream,
  readAnswer,
  servedOf,
} from './http.js'
import type {
  AllowanceRequest,
  ApprovalRequest,
  ComparisonRequest,
  QuoteRequest,
  QuoteStreamRequest,
  QuotesRequest,
  SnapshotRequest,
  SwapRequest,
  TokensRequest,
} from './requests.js'
import {
  type Allowance,
  type Approval,
  answerSchemas,
  type Comparison,
  type ListedToken,
  type Quoted,
  type QuotedAmounts,
  type Sources,
  type Spender,
  type Swapped,
  type Token,
  type Version,
} from './responses.js'
import { readEvents, type StreamEvent } from './stream.js'

/** Settings of a client. */
export type BraidOptions = {
  readonly url: string
  readonly apiKey: string
  /** `shippedChainId` of contracts by default. */
  readonly chainId?: number
  /** For one request; 15 s by default. */
  readonly timeoutMs?: number
  /** Retries of a refusal that is `retryable` and says when; 2 by default. */
  readonly retries?: number
  /** The longest wait before a retry; a refusal that requires more is thrown. 5 s by default. */
  readonly maxWaitMs?: number
  /** The system's own by default. */
  readonly fetch?: typeof fetch
}

const OPTIONS: Readonly<Record<keyof BraidOptions, true>> = {
  ...{ url: true, apiKey: true, chainId: true, timeoutMs: true, retries: true },
  ...{ maxWaitMs: true, fetch: true },
}

/** The fields that each flag of a request adds to its answer. */
const included = {
  includeTokensInfo: ['srcToken', 'dstToken'],
  includeGas: ['gas'],
  includeRoutes: ['routes'],
  includeGraph: ['graph'],
  includeMeta: ['meta'],
  includeCalls: ['calls'],
} as const
export type Included = typeof included

export type IncludedBy<Request> = {
  [F in keyof Included]: Request extends { readonly [K in F]: true } ? Included[F][number] : never
}[keyof Included]

/** An answer with every field that the request includes. */
export type Including<Body, Request> = Body & {
  readonly [K in IncludedBy<Request> & keyof Body]: Exclude<Body[K], undefined>
}

/** A client, with one function for each path of the API. */
export type Braid = ReturnType<typeof createBraid>

/**
 * A client of the API at `url`. Amounts are bigint, addresses lower case. Throws BAD_OPTIONS. Every call may throw
 * {@link RefusedError}, {@link UnreachableError}, {@link BadAnswerError}, or what its `signal` says.
 *
 * @example
 * const braid = createBraid({ url: 'http://127.0.0.1:8080', apiKey })
 * const { dstAmount } = await braid.quote({ src: NATIVE, dst: usdc, amount: 10n ** 18n })
 */
export function createBraid(options: BraidOptions) {
  checkNames('options', options, OPTIONS)
  requireFields('options', options, ['apiKey'])
  if (!URL.canParse(options.url)) throw badOption('options.url', options.url, 'a URL of the API')
  const { chainId = shippedChainId, timeoutMs = 15_000, retries = 2, maxWaitMs = 5_000 } = options
  const settings: HttpSettings = {
    ...{ apiKey: options.apiKey, timeoutMs, retries, maxWaitMs },
    url: options.url.replace(/\/+$/, ''),
    // Called as a method of another object, a browser's fetch refuses.
    fetch: options.fetch ?? ((...request) => fetch(...request)),
  }
  const get: Get = async (path, query, schema, call) => {
    const { body } = await getJson(settings, { path, query, schema }, call)
    return body
  }
  return {
    ...quoteCalls(settings, `/swap/v1/${chainId}`),
    ...approveCalls(get, `/swap/v1/${chainId}/approve`),
    ...tokenCalls(get, `/${chainId}/tokens`),
    /** The version, chain and router of the server; needs no key. */
    version: (call?: CallOptions): Promise<Version> =>
      get('/version', {}, answerSchemas.version, call),
  }
}

type Get = <S extends z.ZodMiniType>(
  path: string,
  query: object,
  schema: S,
  call?: CallOptions,
) => Promise<z.output<S>>

function quoteCalls(settings: HttpSettings, base: string) {
  return {
    /**
     * The best available rate. A `last` quote of the same request is returned again while it is
     * current, which costs the server almost nothing.
     */
    quote: async <const R extends QuoteRequest>(
      request: R,
      { last, ...call }: CallOptions & { readonly last?: Including<Quoted, R> | undefined } = {},
    ): Promise<Including<Quoted, R>> => {
      const path = `${base}/quote`
      const etag = last?.served.etag
      const answer = await getText(settings, { path, query: request, etag }, call)
      if (answer.status === 304 && last) return last
      const body = readAnswer(path, answerSchemas.quote, answer.text)
      return withIncluded<Quoted, R>(path, request, {
        ...body,
        served: servedOf(answer.headers),
      })
    },
    /** A quote, or an `error`, for each of several amounts, all from one state of the market. */
    quotes: async (request: QuotesRequest, call?: CallOptions): Promise<QuotedAmounts> => {
      const asked = { path: `${base}/quotes`, query: request, schema: answerSchemas.quotes }
      const { body, served } = await getJson(settings, asked, call)
      return { ...body, served }
    },
    /**
     * The quote at each block that changes it, until the server ends the stream, the loop over it is
     * left or `signal` aborts. Reconnecting is up to the caller.
     *
     * @example for await (const each of braid.quoteStream(order)) if (each.event === 'quote') show(each.quote)
     */
    quoteStream: async function* (
      request: QuoteStreamRequest,
      call: CallOptions = {},
    ): AsyncGenerator<StreamEvent, void, undefined> {
      const path = `${base}/quote/stream`
      yield* readEvents(path, await openStream(settings, { path, query: request }, call))
    },
    /** An exact quote and the transaction that performs it; {@link verifySwap} it before signing. */
    swap: async <const R extends SwapRequest>(
      request: R,
      call?: CallOptions,
    ): Promise<Including<Swapped, R>> => {
      const asked = { path: `${base}/swap`, query: request, schema: answerSchemas.swap }
      const { body, served } = await getJson(settings, asked, call)
      return withIncluded<Swapped, R>(asked.path, request, { ...body, served })
    },
    /** The aggregated quote beside those of single pools. */
    compare: async (request: ComparisonRequest, call?: CallOptions): Promise<Comparison> => {
      const asked = {
        path: `${base}/dex-compare`,
        query: request,
        schema: answerSchemas.comparison,
      }
      const { body, served } = await getJson(settings, asked, call)
      return { ...body, served }
    },
    /** The venues of the market, by the names that `includeProtocols` takes. */
    liquiditySources: async (call?: CallOptions): Promise<Sources> => {
      const asked = { path: `${base}/liquidity-sources`, schema: answerSchemas.sources }
      return (await getJson(settings, asked, call)).body
    },
    /** The market that quotes are computed from, as text: `readSnapshot` of `./snapshot` reads it. */
    snapshotText: async (request: SnapshotRequest = {}, call?: CallOptions): Promise<string> => {
      const { text } = await getText(settings, { path: `${base}/snapshot`, query: request }, call)
      return text
    },
  }
}

function approveCalls(get: Get, base: string) {
  return {
    /** The transaction that lets the router spend a token. */
    approval: (request: ApprovalRequest, call?: CallOptions): Promise<Approval> =>
      get(`${base}/transaction`, request, answerSchemas.approval, call),
    /** The amount of a token that the router may spend. */
    allowance: (request: AllowanceRequest, call?: CallOptions): Promise<Allowance> =>
      get(`${base}/allowance`, request, answerSchemas.allowance, call),
    /** The contract that approvals must name. */
    spender: (call?: CallOptions): Promise<Spender> =>
      get(`${base}/spender`, {}, answerSchemas.spender, call),
  }
}

function tokenCalls(get: Get, base: string) {
  const tokens = async (request: TokensRequest = {}, call?: CallOptions) => {
    const body = await get(base, request, answerSchemas.tokens, call)
    return Object.values(body.tokens) as readonly ListedToken[]
  }
  return {
    /** Texts, verification and prices of a token. */
    token: (token: Address, call?: CallOptions): Promise<Token> =>
      get(`${base}/${token}`, {}, answerSchemas.token, call),
    /** A page of the market's tokens, in ascending order of address. */
    tokens,
    /** All of the market's tokens, page after page. Throws BAD_ANSWER if they do not end. */
    allTokens: async (only: Pick<TokensRequest, 'verified'> = {}, call?: CallOptions) => {
      const found: ListedToken[] = []
      for (let page = 0; found.length < MOST_TOKENS; page++) {
        const next = await tokens({ ...only, page, limit: PAGE }, call)
        found.push(...next)
        if (next.length < PAGE) return found as readonly ListedToken[]
      }
      throw new BadAnswerError('the list of tokens does not end', { path: base, got: found.length })
    },
  }
}

const PAGE = 500
/** Many times the tokens of the largest market: an endless list must end. */
const MOST_TOKENS = 20_000

/** Checks that the answer has the fields that its type promises. Throws BAD_ANSWER. */
function withIncluded<A extends object, R extends object>(path: string, request: R, answer: A) {
  for (const [flag, fields] of Object.entries(included)) {
    if (ownValue(request as Readonly<Record<string, unknown>>, flag) !== true) continue
    for (const field of fields) {
      if (Object.hasOwn(answer, field)) continue
      throw new BadAnswerError('the answer lacks a requested field', { path, wanted: field })
    }
  }
  return answer as Including<A, R>
}
