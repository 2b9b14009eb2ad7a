/**
 * The solver for callers from outside, who may pass anything: order and options are checked first. The
 * functions of core that solve many times have checked theirs already.
 */
import { checkOptions, checkOrder } from './checkCall.js'
import { curveOf } from './curve/curve.js'
import { sellAll } from './curve/largestSale.js'
import { graphOf, type OpaqueGraph } from './graph.js'
import type { Order } from './order.js'
import type { Solution } from './solver/solve.js'
import type { Options } from './solver/terms.js'

/**
 * The best route found for an order between two ERC-20 tokens, before the native token is wrapped or
 * unwrapped; `undefined` if no route takes the whole amount, or beyond the end of the market. Throws BAD_ORDER,
 * BAD_OPTIONS and BAD_SNAPSHOT as `quote` does.
 */
export function solveOrder(
  market: OpaqueGraph,
  order: Order,
  options: Options = {},
): Solution | undefined {
  const graph = graphOf(market)
  checkOrder(order)
  checkOptions(options, graph.snapshot.block)
  return sellAll(curveOf(graph, order, options), order.amountIn)
}
