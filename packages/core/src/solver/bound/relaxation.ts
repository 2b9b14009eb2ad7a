/**
 * Everything that an order's routes can pass, for the bound over simple paths. Input: graph, order and
 * terms. Output: a {@link Relaxation}. The subgraph of the search leaves edges out, which a bound may not.
 */
import { type ColumnEdge, columnEdgeOf } from '../dual/bestTrade.js'
import type { Network } from '../network/problem.js'
import { selectNetwork } from '../network/subgraph.js'
import { mostLegs, type Request, type Terms } from '../terms.js'

/** What routes can pass, in local numbers. */
export type Relaxation = Network & {
  readonly amount: number
  readonly terms: Terms
  /** Most hops of a route. */
  readonly legs: number
  readonly logSpot: Float64Array
  readonly spot: Float64Array
  readonly gas: Float64Array
  readonly extraIn: Float64Array
  /** An edge with its curve. */
  readonly columnEdge: (i: number) => ColumnEdge
}

/** The relaxation of an order; `undefined` if its tokens are not connected. */
export function relaxOrder(request: Request): Relaxation | undefined {
  const network = selectNetwork(request)
  if (!network) return undefined
  const { graph, order, terms } = request
  const { edges } = network
  const column = (of: Float64Array) => Float64Array.from(edges, (e) => of[e]!)
  const gas = column(graph.gas)
  const leastGas = gas.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY)
  return {
    amount: Number(order.amountIn),
    terms,
    gas,
    ...network,
    legs: mostLegs(terms, leastGas),
    logSpot: column(graph.logSpot),
    spot: column(graph.spot),
    extraIn: column(graph.extraIn),
    columnEdge: (i) => columnEdgeOf(graph, edges[i]!),
  }
}
