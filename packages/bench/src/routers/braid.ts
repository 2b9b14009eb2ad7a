import {
  advance,
  buildGraph,
  type Graph,
  type Options,
  prepare,
  recomputeBound,
  solve,
} from '@braid-swap/core'
import type { Market } from '../market.js'
import type { Request } from '../request.js'
import type { Answer, ReadyRouter, Router } from './router.js'

const NAME = 'Braid'

/** Our own solver as a router of the benchmark. */
export const braid: Router = {
  name: NAME,
  ready: (market) => readyOn(market, prepare(buildGraph(market.snapshot))),
}

function readyOn(market: Market, graph: Graph): ReadyRouter {
  return {
    name: NAME,
    capsLegs: true,
    quote: (request) => quote(graph, request),
    proves: ({ order }, bound) => recomputeBound(market.snapshot, order, bound) <= bound.amount,
    update: (moved) => {
      const { snapshot } = graph
      const next = buildGraph(advance(snapshot, { block: snapshot.block, pools: moved }), graph)
      return readyOn({ ...market, snapshot: next.snapshot }, prepare(next, graph))
    },
  }
}

function quote(graph: Graph, request: Request): Answer | undefined {
  const options: Options = {
    gasPrice: request.gasPrice,
    maxLegs: request.maxLegs,
    maxGas: request.maxGas ?? Number.POSITIVE_INFINITY,
  }
  const solution = solve(graph, request.order, options)
  if (!solution) return undefined
  const { hops, bound } = solution
  return bound ? { hops, bound } : { hops }
}
