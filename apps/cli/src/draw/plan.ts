import type { Warning } from '@braid-swap/client'
import { type Address, gapBpsOf, type Hop, type Quote } from '@braid-swap/core'
import { feeRate } from '@braid-swap/core/families'

/** The symbol and the decimals of a token. */
export type TokenLabel = { readonly symbol: string; readonly decimals: number }

/** Labels by lower-case address. A token without a label is shown by its address, in wei. */
export type TokenLabels = ReadonlyMap<Address, TokenLabel>

/** The data of one hop that is drawn; amounts in wei. */
export type DrawnHop = {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly pool: Address
  readonly venue: string
  readonly family: string
  /** Fee in parts per million of the input; absent without a fee. */
  readonly feePpm?: number
  /** Present if `amountOut` is a lower bound of what the pool pays. */
  readonly sampled?: true
  /** The executor's share: a part of the remaining balance in 1/0xFFFFFF, 0 for all of it. */
  readonly share?: number
}

/** A finding of core's judge or a warning of an API, whose words are strangers' words. */
export type DrawnFinding = Omit<Warning, 'message'> & { readonly reason: string }

/** Converts findings and warnings. */
export function toDrawnFindings(warnings: readonly Warning[]): readonly DrawnFinding[] {
  return warnings.map(({ message: reason, ...figures }) => ({ ...figures, reason }))
}

/** Figures for people about a quote; each is absent if it is unknown. */
export type QuoteFigures = {
  /** The distance of the output below the rates before the order, without fees, in basis points. */
  readonly priceImpactBps?: number
  /** Worth of the input and of the output in USD. */
  readonly usdIn?: number
  readonly usdOut?: number
  /** What to know before it is signed; the words of an API if it is the source. */
  readonly findings?: readonly DrawnFinding[]
  /** The least output, in wei, that a swap of this quote accepts. */
  readonly minAmountOut?: bigint
}

/** The data of a quote that is drawn, computed here or answered by an API. */
export type DrawnQuote = QuoteFigures & {
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** In execution order: the hops out of a token come after every hop into it. */
  readonly hops: readonly DrawnHop[]
  readonly gas?: bigint
  readonly block?: bigint
  /**
   * Upper bound of the distance to the best route, in basis points; net of gas if gas was part of
   * the objective.
   */
  readonly gapBps?: number | null
}

/** Converts a quote of the core. */
export function toDrawnQuote(
  quote: Pick<Quote, 'order' | 'route' | 'amountOut' | 'gas' | 'block' | 'bound'>,
): DrawnQuote {
  const gapBps = gapBpsOf(quote)
  return {
    ...quote.order,
    amountOut: quote.amountOut,
    hops: quote.route.map(toDrawnHop),
    gas: BigInt(quote.gas),
    block: quote.block.number,
    ...(gapBps !== undefined && { gapBps }),
  }
}

function toDrawnHop({ pool, direction, share, amountIn, amountOut }: Hop): DrawnHop {
  const feePpm = Math.round((feeRate(pool, direction, amountIn) ?? 0) * 1e6)
  return {
    tokenIn: pool.tokens[direction.in]!,
    tokenOut: pool.tokens[direction.out]!,
    ...{ amountIn, amountOut, share, pool: pool.id, venue: pool.venue, family: pool.family },
    ...(feePpm > 0 && { feePpm }),
    ...(pool.sampledAt !== undefined && { sampled: true as const }),
  }
}

/** An entry of the API's `graph`, as JSON or as parsed by the client; `fee` is in percent. */
export type GraphEntry = {
  readonly from: string
  readonly to: string
  readonly pool: string
  readonly exchange: string
  readonly poolType: string
  readonly amountIn: string | bigint
  readonly amountOut: string | bigint
  readonly fee?: number | null | undefined
  readonly share?: string | bigint | undefined
  readonly sampled?: boolean | undefined
}

/** Converts the `graph` of an API. */
export function toDrawnHops(graph: readonly GraphEntry[]): readonly DrawnHop[] {
  const lower = (address: string) => address.toLowerCase() as Address
  return graph.map(({ from, to, pool, exchange, poolType, amountIn, amountOut, ...entry }) => ({
    ...{ tokenIn: lower(from), tokenOut: lower(to), pool: lower(pool) },
    ...{ amountIn: BigInt(amountIn), amountOut: BigInt(amountOut) },
    ...{ venue: exchange, family: poolType },
    ...(entry.share === undefined ? {} : { share: Number(entry.share) }),
    ...(entry.fee ? { feePpm: Math.round(entry.fee * 10_000) } : {}),
    ...(entry.sampled ? { sampled: true as const } : {}),
  }))
}
