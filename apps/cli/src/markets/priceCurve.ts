// The price of an order at many amounts. Input: a graph, a pair and a ladder of amounts. Output: the best
// quote of each amount, with its price impact. Each amount is an order of its own on the same market.

import { BaseError, type Graph, type Options, type Order } from '@braid-swap/core'
import { type AmountResult, resultOf, tryQuote } from './quotedAmount.js'

/** Quotes each amount. Throws the error of the first amount if none of them can be quoted. */
export function priceCurve(
  graph: Graph,
  pair: Pick<Order, 'tokenIn' | 'tokenOut'>,
  ladder: {
    readonly amounts: readonly bigint[]
    readonly options: Options
    readonly onPoint?: (done: number, all: number) => void
  },
): readonly AmountResult[] {
  const { amounts, options, onPoint } = ladder
  const errors: BaseError[] = []
  const points = amounts.map((amountIn, i) => {
    const order = { ...pair, amountIn }
    const found = tryQuote(graph, order, options)
    if (found instanceof BaseError) errors.push(found)
    onPoint?.(i + 1, amounts.length)
    return resultOf(found, order)
  })
  if (errors[0] && errors.length === points.length) throw errors[0]
  return points
}
