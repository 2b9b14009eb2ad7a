import { isDeepStrictEqual } from 'node:util'
import {
  advance,
  type Bound,
  buildGraph,
  type Graph,
  type Options,
  type Order,
  prepare,
  recomputeBound,
  solve,
} from '@braid-swap/core'
import type { Market } from '../market.js'
import type { Request } from '../request.js'
import type { Answer, ReadyRouter, Router } from './router.js'

const NAME = 'Braid'
const CERTIFICATES = ['fast', 'paths', 'deep'] as const
// One request in so many is also solved and checked with each certificate, which takes long: in a market of
// 10,000 pools the checker searches paths for up to a minute, so there only the default is checked.
const CHECKED_IN_FULL = 16
const MOST_POOLS_IN_FULL = 5_000

/** Our own solver as a router of the benchmark. */
export const braid: Router = {
  name: NAME,
  ready: (market) => readyOn(market, prepare(buildGraph(market.snapshot))),
}

function readyOn(market: Market, graph: Graph): ReadyRouter {
  const { snapshot } = market
  const isInFull = snapshot.pools.length <= MOST_POOLS_IN_FULL
  let proved = 0
  // The check of a market of 100,000 pools takes seconds: one bound of one order is checked once.
  let last: { readonly order: Order; readonly bound: Bound; readonly isProved: boolean } | undefined
  const confirms = ({ order }: Request, bound: Bound) => {
    if (last?.order === order && isDeepStrictEqual(last.bound, bound)) return last.isProved
    last = { order, bound, isProved: recomputeBound(snapshot, order, bound) <= bound.amount }
    return last.isProved
  }
  const confirmsAll = (request: Request) =>
    CERTIFICATES.every((certificate) => {
      const solution = solve(graph, request.order, { ...optionsOf(request), certificate })
      if (!solution?.bound) return true
      return solution.net <= Number(solution.bound.amount) && confirms(request, solution.bound)
    })
  return {
    name: NAME,
    capsLegs: true,
    quote: (request) => quote(graph, request),
    proves: (request, bound) =>
      confirms(request, bound) &&
      (!isInFull || proved++ % CHECKED_IN_FULL > 0 || confirmsAll(request)),
    update: (moved) => {
      const before = graph.snapshot
      const next = buildGraph(advance(before, { block: before.block, pools: moved }), graph)
      return readyOn({ ...market, snapshot: next.snapshot }, prepare(next, graph))
    },
  }
}

function optionsOf({ gasPrice, maxLegs, maxGas = Number.POSITIVE_INFINITY }: Request): Options {
  return { gasPrice, maxLegs, maxGas }
}

function quote(graph: Graph, request: Request): Answer | undefined {
  const solution = solve(graph, request.order, optionsOf(request))
  if (!solution) return undefined
  const { hops, bound } = solution
  return bound ? { hops, bound } : { hops }
}
