/**
 * Everything that an order's routes can pass, for the bound over simple paths. Input: graph, order and
 * terms. Output: a {@link Relaxation}. The subgraph of the search leaves edges out, which a bound may not.
 */
import { type Graph, piecesOf } from '../../graph.js'
import type { Order } from '../../order.js'
import type { Reference } from '../../reference/referencePrices.js'
import { ROUTER_GAS } from '../../replay.js'
import { type Network, selectNetwork } from '../network/subgraph.js'
import type { Terms } from '../terms.js'
import type { Scope } from './certificate.js'
import type { ColumnEdge } from './columns.js'

/** What routes can pass, in local numbers. */
export type Relaxation = Network & {
  readonly amount: number
  readonly terms: Terms
  /** Most hops of a route, and most gas for all of its hops. */
  readonly legs: number
  readonly room: number
  readonly logSpot: Float64Array
  readonly spot: Float64Array
  readonly gas: Float64Array
  readonly stepGas: Float64Array
  readonly extraIn: Float64Array
}

/** The relaxation of an order; `undefined` if its tokens are not connected. */
export function relaxOrder(
  graph: Graph,
  reference: Reference,
  order: Order,
  terms: Terms,
  { excluded, onlyIntermediates }: Pick<Scope, 'excluded' | 'onlyIntermediates'>,
): Relaxation | undefined {
  const network = selectNetwork({
    graph,
    reference,
    order,
    excludedPools: new Set(excluded),
    ...(onlyIntermediates && { onlyIntermediates: new Set(onlyIntermediates) }),
  })
  if (!network) return undefined
  const { edges } = network
  const column = (of: Float64Array) => Float64Array.from(edges, (e) => of[e]!)
  const gas = column(graph.gas)
  const leastGas = gas.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY)
  const room = terms.maxGas - ROUTER_GAS
  return {
    amount: Number(order.amountIn),
    terms,
    room,
    gas,
    ...network,
    legs: Math.min(terms.maxLegs, Math.max(1, Math.floor(room / leastGas))),
    logSpot: column(graph.logSpot),
    spot: column(graph.spot),
    stepGas: column(graph.stepGas),
    extraIn: column(graph.extraIn),
  }
}

/** An edge of the relaxation with its curve. */
export function edgeOf({ graph, edges, gas, stepGas, extraIn }: Relaxation, i: number): ColumnEdge {
  const pieces = piecesOf(graph, edges[i]!)
  return { pieces, extraIn: extraIn[i]!, gas: gas[i]!, stepGas: stepGas[i]! }
}
