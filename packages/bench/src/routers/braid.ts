import { isDeepStrictEqual } from 'node:util'
import {
  type Bound,
  buildGraph,
  checkBound,
  type Graph,
  type Options,
  type Order,
} from '@braid-swap/core'
import { advance, precomputeReference, solveOrder } from '@braid-swap/core/advanced'
import type { Market } from '../market.js'
import type { Request } from '../request.js'
import type { Answer, ReadyRouter, Router } from './router.js'

const NAME = 'Braid'

/** Our own solver as a router of the benchmark. */
export const braid: Router = {
  name: NAME,
  ready: (market) => readyOn(market, precomputeReference(buildGraph(market.snapshot))),
}

function readyOn(market: Market, graph: Graph): ReadyRouter {
  const { snapshot } = market
  // The check of a market of 100,000 pools takes seconds: one bound of one order is checked once.
  let last: { readonly order: Order; readonly bound: Bound; readonly isProved: boolean } | undefined
  const confirms = ({ order }: Request, bound: Bound) => {
    if (last?.order === order && isDeepStrictEqual(last.bound, bound)) return last.isProved
    const { amount } = checkBound(snapshot, order, bound)
    last = { order, bound, isProved: amount !== undefined && amount <= bound.amount }
    return last.isProved
  }
  return {
    name: NAME,
    capsLegs: true,
    quote: (request) => quote(graph, request),
    proves: confirms,
    update: (moved) => {
      const before = graph.snapshot
      const next = buildGraph(advance(before, { block: before.block, pools: moved }), graph)
      return readyOn({ ...market, snapshot: next.snapshot }, precomputeReference(next, graph))
    },
  }
}

function optionsOf({ gasPrice, maxLegs, maxGas = Number.POSITIVE_INFINITY }: Request): Options {
  return { gasPrice, maxLegs, maxGas }
}

function quote(graph: Graph, request: Request): Answer | undefined {
  const solution = solveOrder(graph, request.order, optionsOf(request))
  if (!solution) return undefined
  const { hops, bound } = solution
  return bound ? { hops, bound } : { hops }
}
