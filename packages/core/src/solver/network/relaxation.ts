/**
 * What a bound is taken over. Input: an order. Output: all that its routes can pass, in local numbers, with the
 * most hops that a route has. The subgraph of the search leaves edges out, which a bound may not.
 */
import { firstOf } from '../../edgeOrder.js'
import { mostLegs, type Request, type Terms } from '../terms.js'
import type { Network } from './problem.js'
import { hopsBetween, selectNetwork } from './subgraph.js'

/** What routes can pass, in local numbers. */
export type Relaxation = Network & {
  readonly amount: number
  readonly terms: Terms
  /** Most hops of a route. */
  readonly legs: number
  /** Edges `first[k]` up to `first[k + 1]` leave token k. */
  readonly first: Int32Array
  /** Whether each edge is on a walk of so few hops from source to sink. */
  readonly isWithin: Uint8Array
  /** The edges from source to sink. */
  readonly direct: readonly number[]
}

/** The relaxation of an order; `undefined` if its tokens are not connected. */
export function relaxOrder(request: Request): Relaxation | undefined {
  const network = selectNetwork(request)
  if (!network) return undefined
  const { order, terms } = request
  const { graph, edges, from, to, source, sink, tokens } = network
  let leastGas = Number.POSITIVE_INFINITY
  for (const e of edges) leastGas = Math.min(leastGas, graph.gas[e]!)
  const legs = mostLegs(terms, leastGas)
  const before = hopsBetween(from, to, source, tokens.length)
  const after = hopsBetween(to, from, sink, tokens.length)
  const isWithin = new Uint8Array(edges.length)
  const direct: number[] = []
  for (let i = 0; i < edges.length; i++) {
    if (before[from[i]!]! + 1 + after[to[i]!]! <= legs) isWithin[i] = 1
    if (from[i] === source && to[i] === sink) direct.push(i)
  }
  return {
    ...{ amount: Number(order.amountIn), terms, legs, first: firstOf(from, tokens.length) },
    ...{ isWithin, direct },
    ...network,
  }
}
