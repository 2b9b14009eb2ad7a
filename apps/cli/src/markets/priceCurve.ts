// The price of an order at many amounts. Input: a graph, a pair and a ladder of amounts. Output: the best
// quote of each amount, with its price impact. Each amount is an order of its own on the same market.

import {
  BaseError,
  type Graph,
  type Options,
  type Order,
  priceImpactBps,
  quote,
} from '@braid-swap/core'

/** A quote at one amount. Wei; impact in basis points, `null` if unknown. */
export type QuotedPoint = {
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly priceImpactBps: number | null
  readonly gas: bigint
  readonly hops: number
}

/** A point of the curve: a quote, or the code of the reason why there is none. */
export type CurvePoint = QuotedPoint | { readonly amountIn: bigint; readonly error: string }

/**
 * Quotes each amount. Throws the error of the first amount if none of them can be quoted, unless the
 * ladder is part of a longer one (`isPartial`).
 */
export function priceCurve(
  graph: Graph,
  pair: Pick<Order, 'tokenIn' | 'tokenOut'>,
  ladder: {
    readonly amounts: readonly bigint[]
    readonly terms: Options
    readonly isPartial?: boolean
    readonly onPoint?: (done: number, all: number) => void
  },
): readonly CurvePoint[] {
  const { amounts, terms, isPartial, onPoint } = ladder
  let first: BaseError | undefined
  const points = amounts.map((amountIn, i): CurvePoint => {
    const point = tryPoint(graph, { ...pair, amountIn }, terms)
    onPoint?.(i + 1, amounts.length)
    if (!(point instanceof BaseError)) return point
    first ??= point
    return { amountIn, error: point.code }
  })
  if (first && !isPartial && points.every((point) => 'error' in point)) throw first
  return points
}

function tryPoint(graph: Graph, order: Order, terms: Options): QuotedPoint | BaseError {
  try {
    const found = quote(graph, order, terms)
    const { amountOut, route } = found
    const [impact, gas] = [priceImpactBps(found, order), BigInt(found.gas)]
    return { amountIn: order.amountIn, amountOut, priceImpactBps: impact, gas, hops: route.length }
  } catch (error) {
    if (error instanceof BaseError && isNoQuote(error)) return error
    throw error
  }
}

/** Whether an error says that this amount has no quote, and not that the caller is wrong. */
export function isNoQuote({ code }: BaseError): boolean {
  return ['NO_ROUTE', 'AMOUNT_TOO_SMALL', 'INSUFFICIENT_LIQUIDITY'].includes(code)
}

/**
 * Amounts from `least` to `most` in equal ratios, in wei; each to six significant digits except the ends.
 * Equal amounts are listed once.
 */
export function geometricLadder(least: bigint, most: bigint, count: number): readonly bigint[] {
  const ratio = Number(most) / Number(least)
  const steps = Array.from({ length: count }, (_, i) => {
    if (i === 0) return least
    if (i === count - 1) return most
    return BigInt(Math.round(Number((Number(least) * ratio ** (i / (count - 1))).toPrecision(6))))
  })
  return [...new Set(steps)]
}
