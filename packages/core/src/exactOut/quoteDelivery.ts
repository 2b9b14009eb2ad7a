/**
 * The swap that delivers a wanted output: it sells the least input raised by the slippage, so that
 * the output still arrives if the rate falls by as much. Input: graph, order, slippage. Output: the
 * least input, and the route that sells the raised one.
 */
import type { OpaqueGraph } from '../graph.js'
import type { ExactOutOrder } from '../order.js'
import {
  InsufficientLiquidityError,
  type Quote,
  type QuoteOptions,
  quote,
  quoteHops,
} from '../quote.js'
import { raisedBy } from '../slippage.js'
import { type ExactOutQuote, quoteExactOut } from './quoteExactOut.js'

/** A wanted output, and the sale that delivers it. */
export type Delivery = {
  /** The least input found that pays the wanted output at this block. */
  readonly least: ExactOutQuote
  /** The sale of the raised input, in wei; the same object as `least` if nothing is raised. */
  readonly sale: Pick<Quote, 'order' | 'route' | 'amountOut' | 'gas' | 'block' | 'bound' | 'fee'>
}

/**
 * The sale that delivers at least `wanted.amountOut` wei. The router has no refund, so the whole
 * raised input is sold, and more arrives if the rate does not fall. A route that only wraps sells
 * the least input.
 *
 * Throws as {@link quoteExactOut}, and {@link InsufficientLiquidityError} if no route can take the
 * raised input.
 */
export function quoteDelivery(
  graph: OpaqueGraph,
  wanted: ExactOutOrder,
  { slippagePpm, ...options }: QuoteOptions & { readonly slippagePpm: bigint },
): Delivery {
  const least = quoteExactOut(graph, wanted, options)
  const { amountIn: needed } = least.order
  const order = { ...least.order, amountIn: raisedBy({ ...least, amountIn: needed }, slippagePpm) }
  if (order.amountIn === needed) return { least, sale: least }
  const sold = quote(graph, order, options)
  if (sold.amountOut >= wanted.amountOut) return { least, sale: sold }
  const { wrappedNative } = graph.snapshot
  const hops = least.route.filter(({ pool }) => pool.id !== wrappedNative)
  const sameRoute = quoteHops(graph, order, hops, options.fee)
  if (sameRoute && sameRoute.amountOut >= wanted.amountOut) return { least, sale: sameRoute }
  throw new InsufficientLiquidityError('no route can take the input raised by the slippage', {
    ...{ srcAmount: `${needed}`, maxSrcAmount: `${order.amountIn}` },
  })
}
