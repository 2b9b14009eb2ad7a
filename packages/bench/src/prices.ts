import type { Address } from '@braid-swap/core'
import TinyQueue from 'tinyqueue'
import type { Edge, Edges } from './edges.js'

/** Prices of tokens in wrapped native, along the deepest chain of pools to it. */
export type ReferencePrices = {
  /** Wei of native per wei of the token. */
  readonly priceOf: ReadonlyMap<Address, number>
  /** Wei of native that the shallowest pool of the chain takes before its price falls by 2 %. */
  readonly depthOf: ReadonlyMap<Address, number>
}

// Depth is the input at which the marginal price has fallen to this part.
const DEPTH_PRICE_FALL = 0.98

/**
 * Prices along the maximum-bottleneck tree from the wrapped native token (widest paths, by
 * Dijkstra): tokens are reached in order of the shallowest pool on the path, so that a shallow or
 * stale pool never prices a token that deeper pools reach.
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

/** Depth of an edge in wei of native. */
function depthOfEdge(edge: Edge, priceIn: number): number {
  return edge.curve.inputAt(edge.curve.price(0) * DEPTH_PRICE_FALL) * priceIn
}

/** Price at zero input without fee: the geometric mean of the prices of selling and buying back. */
function midPrice(edges: Edges, edge: Edge): number {
  const back = edges.ofPool
    .get(edge.pool)
    ?.find(({ tokenIn, tokenOut }) => tokenIn === edge.tokenOut && tokenOut === edge.tokenIn)
  const forward = edge.curve.price(0)
  const backward = back?.curve.price(0) ?? 0
  return forward > 0 && backward > 0 ? Math.sqrt(forward / backward) : 0
}
