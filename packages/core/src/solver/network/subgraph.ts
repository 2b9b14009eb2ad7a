/**
 * Choice of the subgraph that an order is solved on. Input: graph, reference and order. Output: a
 * {@link Problem} of at most about a hundred tokens, and the tokens left outside. It keeps the time
 * of the dual independent of the number of tokens in the market. A bound may leave no edge out: it is taken over the
 * {@link Relaxation}, all that the routes of the order can pass.
 */
import { firstOf } from '../../edgeOrder.js'
import { tokensBetween } from '../../reference/blockCutTree.js'
import { throughputOf } from '../../reference/referencePrices.js'
import type { Request, Terms } from '../terms.js'
import { HUBS, NEIGHBOURS, WHOLE } from '../tuning.js'
import { makeProblem, type Network, type Problem } from './problem.js'

/**
 * The part of the graph that an order is solved on: all tokens that acyclic routes can pass, or if these
 * are too many, some of them; and the tokens of `also`, by graph number. `undefined` if no edge leads from
 * one end towards the other.
 */
export function selectProblem(request: Request, also: Iterable<number> = []): Problem | undefined {
  const network = selectNetwork(request, also)
  if (!network) return undefined
  const { from, to, source, sink, tokens } = network
  const hops = hopsBetween(from, to, source, tokens.length)[sink]!
  return Number.isFinite(hops) ? makeProblem(network, Number(request.order.amountIn)) : undefined
}

/**
 * Everything that acyclic routes of an order can pass, of any size: for path search, not for the dual. With
 * `also`, of many tokens only some and these. Edges into the source and out of the sink are left out. A pool
 * between the two ends is included no matter how far off the market it is. `undefined` if the ends are unknown
 * or the same.
 */
export function selectNetwork(request: Request, also?: Iterable<number>): Network | undefined {
  const { graph, reference, order, excludedPools, onlyIntermediates } = request
  const source = graph.tokenNumber.get(order.tokenIn)
  const sink = graph.tokenNumber.get(order.tokenOut)
  if (source === undefined || sink === undefined || source === sink) return undefined
  const mayPass = (k: number) =>
    k === source || k === sink || !onlyIntermediates || onlyIntermediates.has(graph.tokens[k]!)
  const onWay = tokensBetween(reference.blocks, source, sink).filter(mayPass)
  const isPart = also && onWay.length > WHOLE
  const chosen = isPart ? [...chooseTokens(request, onWay, [source, sink]), ...also] : onWay
  const tokens = Int32Array.from(new Set([source, sink, ...chosen])).sort()
  const local = new Int32Array(graph.tokens.length).fill(-1)
  for (let k = 0; k < tokens.length; k++) local[tokens[k]!] = k
  const found: number[] = []
  for (const k of tokens) {
    if (k === sink) continue
    for (let e: number = graph.firstFrom[k]!; e < graph.firstFrom[k + 1]!; e++) {
      const next: number = graph.to[e]!
      const isDirect = k === source && next === sink && graph.spot[e]! > 0
      if (local[next]! < 0 || next === source || !(reference.isClean[e] || isDirect)) continue
      const isExcluded = excludedPools.size > 0 && excludedPools.has(graph.pools[graph.poolOf[e]!]!)
      if (!isExcluded) found.push(e)
    }
  }
  const edges = Int32Array.from(found)
  return {
    ...{ graph, source: local[source]!, sink: local[sink]!, tokens, edges },
    outside: onWay.filter((k) => local[k]! < 0),
    from: edges.map((e) => local[graph.from[e]!]!),
    to: edges.map((e) => local[graph.to[e]!]!),
  }
}

/**
 * The tokens with the highest throughput, of all and of the neighbours of both ends, and the widest path between
 * the ends, with which come the tokens that every route passes.
 */
function chooseTokens(
  { graph, reference }: Request,
  tokens: readonly number[],
  ends: readonly number[],
): readonly number[] {
  const onWay = new Set(tokens)
  const ranked = throughputOf(graph, reference).ranked.filter((k) => onWay.has(k))
  // A path through a neighbour of both has two hops. It can win by its gas where its pools earn nothing,
  // and column generation looks at what pools earn.
  const [some, others] = ends.map((end) => {
    return new Set(graph.to.subarray(graph.firstFrom[end]!, graph.firstFrom[end + 1]!))
  })
  const shared = ranked.filter((k) => some!.has(k) && others!.has(k)).slice(0, NEIGHBOURS)
  const chosen = [...ranked.slice(0, HUBS), ...shared]
  // The widest path between any two tokens runs along the price tree.
  for (const end of ends) {
    for (let k = end; k >= 0; k = reference.treeParent[k]!) if (onWay.has(k)) chosen.push(k)
  }
  return chosen
}

/** By token, the fewest hops along edges from a start; infinite if none lead there. */
export function hopsBetween(
  from: Int32Array,
  to: Int32Array,
  start: number,
  size: number,
): Float64Array {
  const hops = new Float64Array(size).fill(Number.POSITIVE_INFINITY)
  hops[start] = 0
  for (let isSettled = false; !isSettled; ) {
    isSettled = true
    for (let i = 0; i < from.length; i++) {
      if (!(hops[from[i]!]! + 1 < hops[to[i]!]!)) continue
      hops[to[i]!] = hops[from[i]!]! + 1
      isSettled = false
    }
  }
  return hops
}

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
  const legs = Math.min(terms.maxLegs, Math.max(1, Math.floor(terms.room / leastGas)))
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
