import {
  BaseError,
  type Graph,
  type Options,
  type Order,
  priceImpactBps,
  type Quote,
  quote,
} from '@braid-swap/core'
import { isUnfilled } from '@braid-swap/core/advanced'

/** The figures of a quote. Wei; impact in basis points, `null` if unknown. */
export type QuotedAmount = {
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly priceImpactBps: number | null
  readonly gas: bigint
  readonly hops: number
}

/** The figures of a quote, or the code of the reason why the amount has none. */
export type AmountResult = QuotedAmount | { readonly amountIn: bigint; readonly error: string }

/** Quotes an order; returns the error if the caller is right and this amount has no quote. */
export function tryQuote(graph: Graph, order: Order, options: Options): Quote | BaseError {
  try {
    return quote(graph, order, options)
  } catch (error) {
    if (isUnfilled(error)) return error
    throw error
  }
}

/** The figures of what {@link tryQuote} returned for an order. */
export function resultOf(found: Quote | BaseError, order: Order): AmountResult {
  const { amountIn } = order
  if (found instanceof BaseError) return { amountIn, error: found.code }
  const { amountOut, gas, route } = found
  const impact = priceImpactBps(found, order)
  return { amountIn, amountOut, priceImpactBps: impact, gas: BigInt(gas), hops: route.length }
}
