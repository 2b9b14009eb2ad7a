import type { Address, Hex } from '@braid-swap/core'
import * as z from 'zod/mini'
import { textOf, warningSchema, words } from './words.js'

// Schemas of the answers, equal to the API's OpenAPI document; a test compares the two. Unknown
// fields are dropped, so that the API can add fields.

/** An amount in the smallest unit, as a decimal string. */
export const wei = textOf(/^[0-9]+$/, BigInt)
const address = textOf(/^0x[a-fA-F0-9]{40}$/, (text) => text.toLowerCase() as Address)
const hex = textOf(/^0x[a-fA-F0-9]*$/, (text) => text as Hex)
/** What strangers call a token, cut where it would be a sentence. */
const label = (most: number) =>
  z.pipe(
    words,
    z.transform((text: string) => (text.length > most ? `${text.slice(0, most - 1)}…` : text)),
  )
const [symbol, name] = [label(24), label(64)]
const decimals = z.int().check(z.minimum(0), z.maximum(255))

const tokenInfo = z.object({
  ...{ address, symbol, name, decimals },
  logoUri: z.nullable(z.string()),
})

const graphEntry = z.object({
  from: address,
  to: address,
  pool: address,
  /** Only of a pool that is not a contract of its own: its id in the contract `pool`. */
  poolId: z.optional(z.string()),
  exchange: words,
  poolType: words,
  percentage: z.number(),
  amountIn: wei,
  amountOut: wei,
  share: wei,
  takesRemainder: z.boolean(),
  fee: z.number(),
  gas: wei,
  sampled: z.optional(z.literal(true)),
})

const routeEntry = z.object({
  percent: z.number(),
  path: z.array(z.object({ address, decimals, symbol })),
  pools: z.array(z.object({ address, fee: z.number(), exchange: words, poolType: words })),
  amountIn: wei,
  amountOut: wei,
})

/** `heldPercent` is what the served pools hold of all; `refused` counts the others by reason. */
const share = z.object({
  ...{ pools: z.int(), served: z.int(), heldPercent: z.nullable(z.number()) },
  ...{ refused: z.record(words, z.int()), isRefused: z.boolean() },
})

/** In basis points, but `watchedSeconds`. */
const suggestedSlippage = z.object({
  ...{ bps: z.int(), pairBps: z.int(), moveBps: z.int(), sampledBps: z.int() },
  ...{ maxBps: z.int(), watchedSeconds: z.int() },
})

const meta = z.looseObject({
  quoteId: z.string(),
  blockNumber: wei,
  blockHash: hex,
  blockTimestamp: z.int(),
  snapshotId: z.string(),
  stateAgeMs: z.int(),
  /** The market is from a file: of this block for ever, for trying only. */
  recorded: z.optional(z.literal(true)),
  engineVersion: z.string(),
  mode: z.enum(['exact', 'sum']),
  solveMs: z.number(),
  warnings: z.array(warningSchema),
  spotDstAmount: z.optional(wei),
  gasCostInDst: z.optional(wei),
  /** Number of venues in each state; absent if venues are not on trial. */
  venues: z.optional(z.record(words, z.int())),
  /** Wei per gas in the next block; absent from older servers. */
  gasPrice: z.optional(wei),
  /** The part of it that pays for a place in the block. */
  priorityFee: z.optional(wei),
  /** Without fees; null if it is unknown, which does not mean zero. */
  priceImpactBps: z.nullable(z.number()),
  validUntilBlock: wei,
  /** The slippage of `auto` and its parts; absent if it is unknown. */
  suggestedSlippage: z.optional(suggestedSlippage),
  suggestedSlippageBps: z.optional(z.int()),
  /** The integrator's fee in the token out, wrapped if native; all other amounts are net of it. */
  fee: z.optional(z.object({ bps: z.number(), amount: wei, token: address, recipient: address })),
  bound: z.optional(
    z.object({
      /** Null if it is unknown because the answer is above its bound; that does not mean zero. */
      gapBps: z.nullable(z.number()),
      maxDstAmount: z.optional(wei),
      maxNetDstAmount: z.optional(wei),
      /** With `dstAmountExact`: the least input of any route, or the least input plus gas. */
      minSrcAmount: z.optional(wei),
      minSrcCost: z.optional(wei),
      method: z.string(),
    }),
  ),
})

const swapMeta = z.extend(meta, {
  minDstAmount: wei,
  slippagePpm: z.int(),
  slippageBps: z.number(),
  deadline: z.int(),
  /** For a transaction of type 2; absent from older servers. */
  fees: z.optional(z.object({ maxFeePerGas: wei, maxPriorityFeePerGas: wei })),
  intent: z.object({
    router: address,
    executor: address,
    payer: address,
    receiver: address,
    minDstAmount: wei,
  }),
  simulated: z.boolean(),
  simulation: z.optional(
    z.object({
      ran: z.boolean(),
      ok: z.optional(z.literal(true)),
      dstAmount: z.optional(wei),
      blockNumber: z.optional(wei),
      gasUsed: z.optional(wei),
    }),
  ),
  wallet: z.optional(
    z.object({ balance: wei, allowance: wei, usingBigBlocks: z.nullable(z.boolean()) }),
  ),
})

const transaction = z.object({
  from: address,
  to: address,
  data: hex,
  value: wei,
  gasPrice: wei,
  gas: wei,
})

const token = z.extend(tokenInfo, {
  verified: z.boolean(),
  /** Null if no trusted path prices it. */
  buyPriceUsd: z.nullable(z.number()),
  sellPriceUsd: z.nullable(z.number()),
})

/** Prices are absent if the list was answered before they were known. */
const listedToken = z.partial(token, { buyPriceUsd: true, sellPriceUsd: true })

const quote = z.object({
  dstAmount: wei,
  /** The least input found; only with `dstAmountExact`. */
  srcAmount: z.optional(wei),
  srcToken: z.optional(tokenInfo),
  dstToken: z.optional(tokenInfo),
  routes: z.optional(z.array(routeEntry)),
  gas: z.optional(wei),
  graph: z.optional(z.array(graphEntry)),
  meta: z.optional(meta),
})

/** The schema of every answer. */
export const answerSchemas = {
  quote,
  /** A quote or an error for each amount, in the order of the request. */
  quotes: z.object({
    quotes: z.array(
      z.union([
        z.extend(z.omit(quote, { srcAmount: true, srcToken: true, dstToken: true }), {
          ...{ amount: wei, quoteId: z.string() },
        }),
        z.object({
          amount: wei,
          error: z.object({ code: words, message: words, retryable: z.boolean() }),
        }),
      ]),
    ),
    srcToken: z.optional(tokenInfo),
    dstToken: z.optional(tokenInfo),
  }),
  /** The data of an event `quote` of a stream. */
  streamedQuote: z.extend(quote, { quoteId: z.string(), blockNumber: wei, blockHash: hex }),
  swap: z.object({
    dstAmount: wei,
    /** The input that is enough at this block; only with `dstAmountExact`. */
    srcAmount: z.optional(wei),
    /** The amount that the transaction sells; only with `dstAmountExact`. */
    maxSrcAmount: z.optional(wei),
    /** The slippage that was used; only with `slippage: 'auto'`. */
    slippageBps: z.optional(z.int()),
    tx: transaction,
    encodedTx: hex,
    /** Approvals, then the swap; only with `includeCalls`. */
    calls: z.optional(z.array(z.object({ to: address, data: hex, value: hex }))),
    srcToken: z.optional(tokenInfo),
    dstToken: z.optional(tokenInfo),
    gas: z.optional(wei),
    meta: z.optional(swapMeta),
  }),
  approval: z.object({
    ...{ data: hex, gasPrice: wei, to: address, value: wei },
    /** Only with `walletAddress`. */
    revokeFirst: z.optional(z.boolean()),
  }),
  allowance: z.object({
    allowance: wei,
    meta: z.optional(z.object({ spender: address, blockNumber: wei })),
  }),
  spender: z.object({ address }),
  comparison: z.object({
    serviceQuote: wei,
    decimalsOut: decimals,
    pools: z.array(
      z.object({
        poolAddress: address,
        poolType: words,
        /** Venue of the pool; only with `includeMeta`. */
        exchange: z.optional(words),
        amountOut: wei,
        decimalsOut: decimals,
      }),
    ),
    meta: z.optional(meta),
  }),
  sources: z.object({
    protocols: z.array(
      z.object({
        ...{ id: words, poolTypes: z.array(words), pools: z.int() },
        /** Which part of the known pools is in answers; absent if it is not known. */
        share: z.optional(share),
        /** What judges its formulas; only `double` means that nobody but us confirms them. */
        judges: z.optional(z.array(words)),
      }),
    ),
  }),
  token,
  tokens: z.object({ tokens: z.record(z.string(), listedToken) }),
  version: z.object({ version: z.string(), chainId: z.int(), router: address }),
}

/** Data from the headers of an answer. */
export type Served = {
  /** Identifies the request in the operator's log. */
  readonly requestId?: string
  readonly blockNumber?: bigint
  readonly quoteId?: string
  readonly etag?: string
}

export type AnswerBody<Name extends keyof typeof answerSchemas> = Readonly<
  z.output<(typeof answerSchemas)[Name]>
>

/** A quote; its amounts are wei. */
export type Quoted = AnswerBody<'quote'> & { readonly served: Served }
/** Quotes of several amounts, all from one state of the market. */
export type QuotedAmounts = AnswerBody<'quotes'> & { readonly served: Served }
/** A swap ready to sign. */
export type Swapped = AnswerBody<'swap'> & { readonly served: Served }
/** A transaction to sign, without the fields that a wallet fills in. */
export type Approval = AnswerBody<'approval'>
/** The allowance of the router. */
export type Allowance = AnswerBody<'allowance'>
/** The address to approve. */
export type Spender = AnswerBody<'spender'>
/** The aggregated quote compared with single pools, best first. */
export type Comparison = AnswerBody<'comparison'> & { readonly served: Served }
/** The venues of the market. */
export type Sources = AnswerBody<'sources'>
/** Metadata and prices of a token. Do not trust name and symbol: its contract chooses them. */
export type Token = AnswerBody<'token'>
/** A token of a list. Its prices are absent if they were not ready in time; request it again. */
export type ListedToken = Readonly<z.output<typeof listedToken>>
/** Version, chain and router of the server. */
export type Version = AnswerBody<'version'>
/** Metadata of a token in a quote. */
export type TokenInfo = Readonly<z.output<typeof tokenInfo>>
/** One hop of `graph`, in execution order. */
export type GraphEntry = Readonly<z.output<typeof graphEntry>>
/** One parallel path of `routes`. */
export type RouteEntry = Readonly<z.output<typeof routeEntry>>
/** The `meta` of a quote, present with `includeMeta`. */
export type Meta = Readonly<z.output<typeof meta>>
/** The `meta` of a swap, present with `includeMeta`. */
export type SwapMeta = Readonly<z.output<typeof swapMeta>>
/** The transaction to sign. */
export type Transaction = Readonly<z.output<typeof transaction>>
