// Exact output: the input for a wanted output, and the swap that delivers it. Input: a request with
// `dstAmountExact`. Output: an order to sell, with its exact route.

import {
  type ExactOutOrder,
  type Graph,
  InsufficientLiquidityError,
  type Options,
  type Order,
  quoteExactOut,
  quoteHops,
  raisedBy,
} from '@braid-swap/core'
import { type Answer, exactAnswer, quoteExact } from './quoting.js'

/** An order with the exact answer to it. */
export type Sale = {
  readonly order: Order
  readonly answer: Answer & Required<Pick<Answer, 'route'>>
}

/** The least input that buys the wanted output. Throws as core's `quoteExactOut`. */
export function quoteInput(graph: Graph, wanted: ExactOutOrder, options: Options): Sale {
  const found = quoteExactOut(graph, wanted, options)
  const { order, inputBound } = found
  const answer = exactAnswer(found)
  if (!inputBound) return { order, answer }
  return { order, answer: { ...answer, input: { amountIn: order.amountIn, inputBound } } }
}

/** What a swap with a wanted output sells, and the input that would be enough at this block. */
export type ExactOutSale = Sale & { readonly srcAmount: bigint }

/**
 * The swap that delivers the wanted output: it sells the least input raised by the slippage, so that
 * the output still arrives if the rate falls by as much. A route that only wraps needs no more. The
 * router has no refund, so more arrives if the rate does not fall. Throws as core's `quoteExactOut`,
 * and InsufficientLiquidityError if the pools cannot take the raised input.
 */
export function quoteDelivery(
  graph: Graph,
  wanted: ExactOutOrder,
  { slippagePpm, ...options }: Options & { readonly slippagePpm: bigint },
): ExactOutSale {
  const least = quoteInput(graph, wanted, options)
  const srcAmount = least.order.amountIn
  const order = {
    ...least.order,
    amountIn: raisedBy({ ...least.answer, amountIn: srcAmount }, slippagePpm),
  }
  if (order.amountIn === srcAmount) return { ...least, srcAmount }
  const sold = quoteExact(graph, order, options)
  if (sold.amountOut >= wanted.amountOut) return { order, answer: sold, srcAmount }
  const sameRoute = quoteHops(graph, order, withoutWraps(graph, least.answer.route))
  if (sameRoute && sameRoute.amountOut >= wanted.amountOut) {
    return { order, answer: exactAnswer(sameRoute), srcAmount }
  }
  throw new InsufficientLiquidityError('no route can take the input raised by the slippage', {
    ...{ srcAmount: `${srcAmount}`, maxSrcAmount: `${order.amountIn}` },
  })
}

/** The hops between the wrapped ends, as {@link quoteHops} takes them. */
function withoutWraps({ snapshot }: Graph, route: Sale['answer']['route']) {
  return route.filter(({ pool }) => pool.id !== snapshot.wrappedNative)
}
