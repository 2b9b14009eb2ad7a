import type { Address } from '@braid-swap/core'
import TinyQueue from 'tinyqueue'
import type { Edge, Edges } from './edges.js'

/** What tokens are worth in wrapped native, by the deepest chain of pools that leads there. */
export type ReferencePrices = {
  /** Wei of native per wei of the token. */
  readonly priceOf: ReadonlyMap<Address, number>
  /** Wei of native that the weakest pool of that chain can move before its price falls 2 %. */
  readonly depthOf: ReadonlyMap<Address, number>
}

// Depth is the value a pool takes until its marginal price has fallen by this factor.
const DEPTH_PRICE_FALL = 0.98

/**
 * Prices by the maximum-bottleneck tree from the wrapped native token: tokens are reached in order
 * of the depth of the weakest pool on the way, so that a shallow or stale pool prices nothing that
 * a deeper one reaches.
 */
export function referencePrices(edges: Edges, native: Address): ReferencePrices {
  type Reached = { readonly token: Address; readonly price: number; readonly depth: number }
  const priceOf = new Map<Address, number>()
  const depthOf = new Map<Address, number>()
  const start = { token: native, price: 1, depth: Number.POSITIVE_INFINITY }
  const queue = new TinyQueue<Reached>([start], (a, b) => b.depth - a.depth)
  for (let at = queue.pop(); at; at = queue.pop()) {
    if (priceOf.has(at.token)) continue
    priceOf.set(at.token, at.price)
    depthOf.set(at.token, at.depth)
    for (const edge of edges.from.get(at.token) ?? []) {
      if (priceOf.has(edge.tokenOut)) continue
      const mid = midPrice(edges, edge)
      if (!(mid > 0) || !Number.isFinite(mid)) continue
      const depth = Math.min(at.depth, depthOfEdge(edge, at.price))
      if (depth > 0) queue.push({ token: edge.tokenOut, price: at.price / mid, depth })
    }
  }
  return { priceOf, depthOf }
}

/** Native wei that the edge takes until its marginal price has fallen by 2 %. */
function depthOfEdge(edge: Edge, priceIn: number): number {
  return edge.curve.inputAt(edge.curve.price(0) * DEPTH_PRICE_FALL) * priceIn
}

/** Output per input at no trade and no fee: the geometric mean of selling and of buying back. */
function midPrice(edges: Edges, edge: Edge): number {
  const back = edges.ofPool
    .get(edge.pool)
    ?.find(({ tokenIn, tokenOut }) => tokenIn === edge.tokenOut && tokenOut === edge.tokenIn)
  const forward = edge.curve.price(0)
  const backward = back?.curve.price(0) ?? 0
  return forward > 0 && backward > 0 ? Math.sqrt(forward / backward) : 0
}
