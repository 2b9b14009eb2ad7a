import { z } from 'zod'
import { type ErrorCode, errorTable } from '../errors.js'
import { address, amount, hex, percent } from './fields.js'
import { metaSchema, swapMetaSchema } from './meta.js'
import { accuracySchema, shareSchema, venueStateSchema, verdictSchema } from './shares.js'

export { type LiquiditySourcesBody, liquiditySourcesSchema } from './shares.js'

/** A code of the error table. */
export const errorCode = z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]])

/** `srcToken` and `dstToken` of the interface's 2.3. */
export const tokenInfoSchema = z.strictObject({
  address,
  symbol: z.string(),
  name: z.string(),
  decimals: z.int(),
  logoUri: z.string().nullable(),
})

/** One pool hop of `graph`, in execution order. */
export const graphEntrySchema = z.strictObject({
  from: address,
  to: address,
  /** The pool, or the contract that keeps it under an id. */
  pool: address,
  /** Only of a pool that is not a contract of its own: its id there. */
  poolId: z
    .string()
    .regex(/^0x[0-9a-f]{64}$/)
    .optional(),
  /** The venue. */
  exchange: z.string(),
  /** The pool's family, or `wrap` or `unwrap` at the ends. Treat unknown values as opaque. */
  poolType: z.string(),
  /** Part of the total amount of `from` that this swap spends. */
  percentage: percent,
  amountIn: amount,
  amountOut: amount,
  /** The executor's integer: `amountIn = floor(remaining · share / 0xFFFFFF)`, 0 takes all. */
  share: amount,
  /** True for the last hop out of a token. */
  takesRemainder: z.boolean(),
  /** In percent. */
  fee: z.number(),
  gas: amount,
  /** Only if `amountOut` is a lower bound on what the pool pays. */
  sampled: z.literal(true).optional(),
})

/** One parallel path of `routes`. At a fan-in, amounts are attributed pro rata. */
export const routeEntrySchema = z.strictObject({
  percent,
  path: z.array(z.strictObject({ address, decimals: z.int(), symbol: z.string() })),
  pools: z.array(
    z.strictObject({ address, fee: z.number(), exchange: z.string(), poolType: z.string() }),
  ),
  amountIn: amount,
  amountOut: amount,
})

/** The interface's 4.1. */
export const quoteSchema = z.strictObject({
  dstAmount: amount,
  /** The least input found; only with `dstAmountExact`. */
  srcAmount: amount.optional(),
  srcToken: tokenInfoSchema.optional(),
  dstToken: tokenInfoSchema.optional(),
  routes: z.array(routeEntrySchema).optional(),
  gas: amount.optional(),
  graph: z.array(graphEntrySchema).optional(),
  meta: metaSchema.optional(),
})

/** The data of an event `quote` of a stream: a quote, and the block that it is computed from. */
export const streamedQuoteSchema = quoteSchema.extend({
  quoteId: z.string(),
  blockNumber: amount,
  blockHash: hex,
})

/** The interface's 2.4. */
export const txSchema = z.strictObject({
  from: address,
  to: address,
  data: hex,
  value: amount,
  gasPrice: amount,
  gas: amount,
})

/** The interface's 4.2. */
export const swapSchema = z.strictObject({
  dstAmount: amount,
  /** The input that is enough at this block; only with `dstAmountExact`. */
  srcAmount: amount.optional(),
  /** The transaction sells this: `srcAmount` raised by the slippage; only with `dstAmountExact`. */
  maxSrcAmount: amount.optional(),
  /** The slippage that was used; only with `slippage=auto`. */
  slippageBps: z.int().optional(),
  tx: txSchema,
  encodedTx: hex,
  /** The calls of EIP-5792, in order: approvals, then the swap; only with `includeCalls`. */
  calls: z.array(z.strictObject({ to: address, data: hex, value: hex })).optional(),
  srcToken: tokenInfoSchema.optional(),
  dstToken: tokenInfoSchema.optional(),
  gas: amount.optional(),
  meta: swapMetaSchema.optional(),
})

/** The interface's 2.5; with `walletAddress` also whether an approval of 0 must be mined first. */
export const approveTransactionSchema = z.strictObject({
  data: hex,
  gasPrice: amount,
  to: address,
  value: z.literal('0'),
  revokeFirst: z.boolean().optional(),
})

/** The interface's 2.6. */
export const allowanceSchema = z.strictObject({
  allowance: amount,
  meta: z.strictObject({ spender: address, blockNumber: amount }).optional(),
})

/** The router, which is the spender of every approval. */
export const spenderSchema = z.strictObject({ address })

/** The interface's 2.2. */
export const tokenSchema = z.strictObject({
  symbol: z.string(),
  name: z.string(),
  decimals: z.int(),
  address,
  verified: z.boolean(),
  logoUri: z.string().nullable(),
  /** Null if no trusted route gives a price. */
  buyPriceUsd: z.number().nullable(),
  sellPriceUsd: z.number().nullable(),
})

/** A token of the list. Prices are absent if there was no time to compute them. */
export const listedTokenSchema = tokenSchema.partial({ buyPriceUsd: true, sellPriceUsd: true })

/** The tokens of the market, by their `address`. */
export const tokensSchema = z.strictObject({ tokens: z.record(address, listedTokenSchema) })

/** A market as core serialises it: integers are decimal strings, pools have fields by family. */
export const snapshotSchema = z.strictObject({
  version: z.literal(1),
  chainId: z.int(),
  block: z.strictObject({
    number: amount,
    hash: hex,
    timestamp: amount,
    gasPrice: amount,
    gasLimit: amount,
  }),
  wrappedNative: address,
  tokens: z.array(z.strictObject({ address, decimals: z.int() })),
  pools: z.array(
    z.looseObject({ family: z.string(), id: hex, venue: z.string(), tokens: z.array(address) }),
  ),
})

/** The interface's 4.6, its pools by 2.7. */
export const dexCompareSchema = z.strictObject({
  serviceQuote: amount,
  decimalsOut: z.int(),
  pools: z.array(
    z.strictObject({
      poolAddress: address,
      poolType: z.string(),
      /** Venue of the pool, as in a graph entry; only with `includeMeta`. */
      exchange: z.string().optional(),
      amountOut: amount,
      decimalsOut: z.int(),
    }),
  ),
  meta: metaSchema.optional(),
})

/** `/healthz`. */
export const healthSchema = z.strictObject({ status: z.literal('ok') })

/** `/health`: the short form of `/readyz`. If not ready, the response is an error. */
export const healthySchema = z.strictObject({ healthy: z.literal(true) })

/** Progress of the search for pools. */
export const discoverySchema = z.strictObject({
  isDone: z.boolean(),
  venues: z.int(),
  venuesDone: z.int(),
  blocksSearched: amount.optional(),
  blocksLeft: amount.optional(),
  secondsLeft: z.int().optional(),
  poolsFound: z.int(),
  /** By reason. */
  setAside: z.record(z.string(), z.int()),
  /** Swaps on the chain since the start, by whether their pool is in answers. */
  swaps: z.strictObject({ served: z.int(), setAside: z.int(), unknown: z.int() }).optional(),
  unproved: z.int().optional(),
})

/** `/readyz`, at 200 and at 503. */
export const readySchema = z.strictObject({
  status: z.enum(['ready', 'not_ready']),
  /** Why the API is not ready; null if it is. */
  code: errorCode.nullable(),
  /** The reason, or if it is ready, which pools cannot be found; null if all can. */
  message: z.string().nullable(),
  /** Null before the first market. */
  blockNumber: amount.nullable(),
  stateAgeMs: z.int().nullable(),
  /** Present if the market is from a file: of this block for ever, and swaps are refused. */
  recorded: z.literal(true).optional(),
  /** Null if there is no search. */
  discovery: discoverySchema.nullable(),
  /** Empty if venues are not on trial. */
  venues: z.array(venueStateSchema),
  /** Who is out of answers, or accused without effect: what was seen, until when, and what overrules it. */
  verdicts: z.array(verdictSchema),
  swapsPerMinute: z.int().nullable(),
  /** Which part of the known pools is served, in a sentence; null before the first market. */
  coverage: z.string().nullable(),
  /** The same by venue; empty before the first market. */
  shares: z.array(shareSchema.extend({ exchange: z.string() })),
  /** How sampled answers fared on the block after theirs; null before the first, and if the node's requests are limited. */
  accuracy: accuracySchema.nullable(),
})

/** `/version`. */
export const versionSchema = z.strictObject({
  version: z.string(),
  chainId: z.int(),
  router: address,
})

/** `/errors.json`. */
export const errorTableSchema = z.record(
  z.string(),
  z.strictObject({ status: z.int(), title: z.string(), retryable: z.boolean() }),
)

/** `details.nearest` of an order that cannot be filled; only with `includeNearest`. */
export const nearestSchema = z.strictObject({
  /** The largest part of the order that a route takes, to about 0.1 %; 0 if none is. */
  amount,
  dstAmount: amount,
  atLoss: z.strictObject({ lossBps: z.number(), amount, dstAmount: amount }).optional(),
  /** Pools that no route uses: by venue, or of the whole market if no venue is known. */
  leftOut: z.array(
    z.strictObject({ exchange: z.string().optional(), reason: z.string(), pools: z.int() }),
  ),
})

/** The body of every error response. */
export const errorSchema = z.strictObject({
  statusCode: z.int(),
  error: z.string(),
  code: errorCode,
  message: z.string(),
  requestId: z.string(),
  timestamp: z.iso.datetime(),
  path: z.string(),
  retryable: z.boolean(),
  issues: z.array(
    z.strictObject({
      in: z.enum(['query', 'path', 'header']),
      path: z.string(),
      code: z.string(),
      message: z.string(),
      received: z.string().max(100).optional(),
      expected: z.string(),
    }),
  ),
  details: z
    .object({ nearest: nearestSchema.optional() })
    .catchall(z.union([z.string(), z.number(), z.boolean()])),
})

// The types of these bodies.
export type GraphEntry = z.infer<typeof graphEntrySchema>
export type RouteEntry = z.infer<typeof routeEntrySchema>
export type TokenInfo = z.infer<typeof tokenInfoSchema>
export type QuoteBody = z.infer<typeof quoteSchema>
export type SwapBody = z.infer<typeof swapSchema>
export type DexCompareBody = z.infer<typeof dexCompareSchema>
export type TokenBody = z.infer<typeof tokenSchema>
export type ListedTokenBody = z.infer<typeof listedTokenSchema>
export type TokensBody = z.infer<typeof tokensSchema>
export type ReadyBody = z.infer<typeof readySchema>
export type ErrorBody = z.infer<typeof errorSchema>
export type { Warning } from './meta.js'
