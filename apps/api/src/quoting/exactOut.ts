// Exact output: the input for a wanted output, and the swap that delivers it. Input: a request with
// `dstAmountExact`. Output: an order to sell, with its exact route.

import {
  type ExactOutOrder,
  type ExactOutQuote,
  type Graph,
  type Order,
  type QuoteOptions,
  quoteExactOut,
} from '@braid-swap/core'
import { quoteDelivery } from '@braid-swap/core/advanced'
import { exactAnswer, type QuoteAnswer } from './quoting.js'

/** An order with the exact answer to it. */
export type Sale = {
  readonly order: Order
  readonly answer: QuoteAnswer & Required<Pick<QuoteAnswer, 'route'>>
}

/** The least input that buys the wanted output. Throws as core's `quoteExactOut`. */
export function quoteInput(graph: Graph, wanted: ExactOutOrder, options: QuoteOptions): Sale {
  return inputSale(quoteExactOut(graph, wanted, options))
}

/** Sale of a swap with a wanted output, and the input that would be enough at this block. */
export type ExactOutSale = Sale & { readonly srcAmount: bigint }

/** The swap that delivers the wanted output. Throws as core's `quoteDelivery`. */
export function quoteSwapFor(
  graph: Graph,
  wanted: ExactOutOrder,
  options: QuoteOptions & { readonly slippagePpm: bigint },
): ExactOutSale {
  const { least, sale } = quoteDelivery(graph, wanted, options)
  const srcAmount = least.order.amountIn
  if (sale === least) return { ...inputSale(least), srcAmount }
  return { order: sale.order, answer: exactAnswer(sale), srcAmount }
}

function inputSale(found: ExactOutQuote): Sale {
  const { order, inputBound } = found
  const answer = exactAnswer(found)
  if (!inputBound) return { order, answer }
  return { order, answer: { ...answer, input: { amountIn: order.amountIn, inputBound } } }
}
