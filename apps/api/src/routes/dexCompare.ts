import {
  type Address,
  type Edge,
  type Graph,
  NATIVE,
  type Order,
  quoteHops,
} from '@braid-swap/core'
import type { ApiContext } from '../middleware/state.js'
import type { RouteParts } from '../parts.js'
import { type Answer, quoteExact } from '../quoting.js'
import { showAddress } from '../wire/addresses.js'
import { poolTypeOf } from '../wire/graph.js'
import type { DexCompareBody } from '../wire/responses.js'
import { checksumWarnings, identify, metaOf, timed } from './meta.js'
import { freshState, readQuery, requireChain, requireTokens } from './request.js'

const POOLS = 10
/** Depth is what a pool takes until its marginal price is this part of what it was. */
const DEPTH_PRICE = 0.98

/** `GET /swap/v1/{chainId}/dex-compare`: the aggregated quote beside those of single pools. */
export function dexCompareRoute(parts: RouteParts) {
  return async (ctx: ApiContext): Promise<void> => {
    requireChain(ctx, parts)
    ctx.set('cache-control', 'no-store')
    const params = readQuery(ctx, parts.schemas.dexCompare)
    const state = freshState(ctx, parts)
    const quoteId = identify(ctx, state, { endpoint: 'dex-compare', params })
    const { src, dst, amount } = params
    await requireTokens(parts, state.graph.snapshot, { src, dst })

    const order: Order = { tokenIn: src, tokenOut: dst, amountIn: amount }
    const limit = Number(params.limit ?? POOLS)
    const { value, solveMs } = timed(ctx, () => compare(state.graph, order, limit))
    const { answer, pools, leftOut } = value
    ctx.set('x-quote-mode', answer.mode)
    const decimalsOut = decimalsOf(state.graph, dst)
    const body: DexCompareBody = {
      serviceQuote: `${answer.amountOut}`,
      decimalsOut,
      pools: pools.map(({ edge, answer: { amountOut } }) => ({
        poolAddress: showAddress(edge.pool.id),
        poolType: poolTypeOf(edge),
        amountOut: `${amountOut}`,
        decimalsOut,
      })),
      ...(params.includeMeta && {
        meta: {
          ...metaOf(state, { quoteId, answer, order, solveMs }),
          poolsLeftOut: leftOut,
          warnings: [...checksumWarnings(ctx, ['src', 'dst'])],
        },
      }),
    }
    ctx.body = body
  }
}

/** One pool alone and what it pays. */
type Single = { readonly edge: Edge; readonly answer: Answer }

/**
 * The deepest pools of the pair, best output first, and the aggregated quote, gross of gas. A single
 * pool is a route too: should one pay more than the route found, it is the service's quote.
 */
function compare(graph: Graph, order: Order, limit: number) {
  const deepest = directEdges(graph, order)
    .map((edge) => ({ edge, depth: depthOf(edge) }))
    .sort((a, b) => b.depth - a.depth || (a.edge.pool.id < b.edge.pool.id ? -1 : 1))
    .slice(0, limit)
  const pools = deepest.flatMap(({ edge }): Single[] => {
    const alone = quoteAlone(graph, order, edge)
    return alone ? [{ edge, answer: alone }] : []
  })
  pools.sort(byOutput)
  const best = pools[0]?.answer
  const aggregated = quoteOr(best, () => quoteExact(graph, order, { objective: 'gross' }))
  const answer = best && best.amountOut > aggregated.amountOut ? best : aggregated
  return { answer, pools, leftOut: deepest.length - pools.length }
}

/** A pool that fills the order alone proves a route, whatever the search says. */
function quoteOr(best: Answer | undefined, find: () => Answer): Answer {
  try {
    return find()
  } catch (error) {
    if (!best) throw error
    return best
  }
}

function quoteAlone(graph: Graph, order: Order, edge: Edge): Answer | undefined {
  const hop = { pool: edge.pool, direction: edge.direction, share: 0 }
  const found = quoteHops(graph, order, [hop])
  return (
    found && {
      ...{ mode: 'exact', amountOut: found.amountOut, route: found.route },
      gas: BigInt(found.gas),
    }
  )
}

function directEdges(graph: Graph, order: Order): readonly Edge[] {
  const wrapped = (token: Address) => (token === NATIVE ? graph.snapshot.wrappedNative : token)
  const edges = graph.edgesFrom.get(wrapped(order.tokenIn)) ?? []
  return edges.filter((edge) => edge.tokenOut === wrapped(order.tokenOut))
}

function depthOf({ curve }: Edge): number {
  return curve.inputAt(curve.price(0) * DEPTH_PRICE)
}

function byOutput(a: Single, b: Single): number {
  if (a.answer.amountOut !== b.answer.amountOut) {
    return a.answer.amountOut > b.answer.amountOut ? -1 : 1
  }
  return a.edge.pool.id < b.edge.pool.id ? -1 : 1
}

function decimalsOf({ snapshot }: Graph, address: Address): number {
  const wanted = address === NATIVE ? snapshot.wrappedNative : address
  return snapshot.tokens.find((token) => token.address === wanted)?.decimals ?? 18
}
