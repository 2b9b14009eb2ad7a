import { z } from 'zod'
import { type ErrorCode, errorTable } from '../errors.js'
import { address, amount, hex, percent } from './fields.js'
import { metaSchema, swapMetaSchema } from './meta.js'

const errorCode = z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]])

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
  pool: address,
  /** The venue. */
  exchange: z.string(),
  /** The pool's family, or `wrap` or `unwrap` at the ends. Unknown values are to be kept opaque. */
  poolType: z.string(),
  /** Part of all that leaves `from` in this swap. */
  percentage: percent,
  amountIn: amount,
  amountOut: amount,
  /** The executor's own integer: `amountIn = floor(remaining · share / 0xFFFFFF)`, 0 takes all. */
  share: amount,
  /** True for the last hop out of a token. */
  takesRemainder: z.boolean(),
  /** In percent. */
  fee: z.number(),
  gas: amount,
  /** Only where `amountOut` is the least that the pool pays, between two of its own answers. */
  sampled: z.literal(true).optional(),
})

/** One parallel path of `routes`; at a fan-in its amounts are attributed pro rata. */
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
  srcToken: tokenInfoSchema.optional(),
  dstToken: tokenInfoSchema.optional(),
  routes: z.array(routeEntrySchema).optional(),
  gas: amount.optional(),
  graph: z.array(graphEntrySchema).optional(),
  meta: metaSchema.optional(),
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
  tx: txSchema,
  encodedTx: hex,
  srcToken: tokenInfoSchema.optional(),
  dstToken: tokenInfoSchema.optional(),
  gas: amount.optional(),
  meta: swapMetaSchema.optional(),
})

/** The interface's 2.5. */
export const approveTransactionSchema = z.strictObject({
  data: hex,
  gasPrice: amount,
  to: address,
  value: z.literal('0'),
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
  /** Null where no trusted path tells. */
  buyPriceUsd: z.number().nullable(),
  sellPriceUsd: z.number().nullable(),
})

/** A token of the list; prices are absent where there was no time to find them. */
export const listedTokenSchema = tokenSchema.partial({ buyPriceUsd: true, sellPriceUsd: true })

/** The market's tokens, by the address that each has in its own `address`. */
export const tokensSchema = z.strictObject({ tokens: z.record(address, listedTokenSchema) })

/** The venues of the market, each by the id that `includeProtocols` and `excludeProtocols` take. */
export const liquiditySourcesSchema = z.strictObject({
  protocols: z.array(
    z.strictObject({ id: z.string(), poolTypes: z.array(z.string()), pools: z.int() }),
  ),
})

/** A market as core writes it: integers are decimal strings, pools have the fields of their family. */
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

/** `/health`: the short form of `/readyz`; where it would be false the answer is an error. */
export const healthySchema = z.strictObject({ healthy: z.literal(true) })

/** How far the search for pools came. */
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
})

/** `/readyz`, at 200 and at 503. */
export const readySchema = z.strictObject({
  status: z.enum(['ready', 'not_ready']),
  /** Why it is not ready; null where it is. */
  code: errorCode.nullable(),
  message: z.string().nullable(),
  /** Null before the first market. */
  blockNumber: amount.nullable(),
  stateAgeMs: z.int().nullable(),
  /** Null where no search is known. */
  discovery: discoverySchema.nullable(),
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

/** The body of every answer that is no success. */
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
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
})

/** A graph entry on the wire. */
export type GraphEntry = z.infer<typeof graphEntrySchema>
/** A route entry on the wire. */
export type RouteEntry = z.infer<typeof routeEntrySchema>
/** Token texts on the wire. */
export type TokenInfo = z.infer<typeof tokenInfoSchema>
/** A quote on the wire. */
export type QuoteBody = z.infer<typeof quoteSchema>
/** A swap on the wire. */
export type SwapBody = z.infer<typeof swapSchema>
/** A comparison on the wire. */
export type DexCompareBody = z.infer<typeof dexCompareSchema>
/** The venues on the wire. */
export type LiquiditySourcesBody = z.infer<typeof liquiditySourcesSchema>
/** A token on the wire. */
export type TokenBody = z.infer<typeof tokenSchema>
/** A token of such a page. */
export type ListedTokenBody = z.infer<typeof listedTokenSchema>
/** A page of tokens on the wire. */
export type TokensBody = z.infer<typeof tokensSchema>
/** Readiness on the wire. */
export type ReadyBody = z.infer<typeof readySchema>
/** An error on the wire. */
export type ErrorBody = z.infer<typeof errorSchema>
/** A warning in `meta`. */
export type Warning = { readonly code: string; readonly message: string }
