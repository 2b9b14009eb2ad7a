/**
 * The most of an order that the market does take, for callers who want to say more than that it cannot be filled.
 * Input: graph, order, options. Output: exact sales, from the same curve as every quote.
 */
import { checkOptions, checkOrder } from '../checkCall.js'
import { type Graph, graphOf, type OpaqueGraph } from '../graph.js'
import type { Hex } from '../hex.js'
import type { Order, PartialOrder } from '../order.js'
import { type Quote, quoteHops, wrapEnds } from '../quote.js'
import { referenceOf, setAsideOf } from '../reference/referencePrices.js'
import type { Options } from '../solver/terms.js'
import { curveOf, LARGEST_INPUT, type Sale } from './curve.js'
import { largestSale, largestSaleWithin } from './largestSale.js'

/** A sale as {@link nearestSales} returns it. */
type Fill = Pick<Quote, 'order' | 'amountOut' | 'gas' | 'block' | 'route'>

/**
 * The largest part of an order that the market takes, and the largest within a price impact, in basis points; each is
 * absent if there is none. `shouldStop` ends the search with the largest found so far. Throws BAD_ORDER, BAD_OPTIONS or
 * BAD_SNAPSHOT.
 */
export function nearestSales(
  market: OpaqueGraph,
  { amountIn = LARGEST_INPUT, ...ends }: PartialOrder,
  { impactBps, ...options }: Options & { readonly impactBps?: number } = {},
): { readonly most?: Fill; readonly withinImpact?: Fill } {
  const graph = graphOf(market)
  const order = { ...ends, amountIn }
  checkOrder(order)
  checkOptions(options, graph.snapshot.block)
  const { order: inner, isOnlyWrap } = wrapEnds(graph, order)
  if (isOnlyWrap) {
    const whole = quoteHops(graph, order, [])
    return whole ? { most: whole, withinImpact: whole } : {}
  }
  const curve = curveOf(graph, inner, options)
  const most = largestSale(curve, amountIn)
  if (!most) return {}
  const within = impactBps === undefined ? undefined : largestSaleWithin(curve, most, impactBps)
  return {
    most: fillOf(graph, order, most),
    ...(within && { withinImpact: fillOf(graph, order, within) }),
  }
}

/** The pools that a search leaves out because their price is too far off the market, by id. */
export function poolsOffMarket(market: OpaqueGraph): readonly Hex[] {
  const graph = graphOf(market)
  return setAsideOf(graph, referenceOf(graph))
}

function fillOf(graph: Graph, order: Order, { order: { amountIn }, hops }: Sale): Fill {
  return quoteHops(graph, { ...order, amountIn }, hops)!
}
