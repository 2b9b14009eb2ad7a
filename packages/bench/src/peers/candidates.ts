import type { Order, Pool } from '@braid-swap/core'
import type { Edge } from '../edges.js'
import type { Market } from '../market.js'
import { bestPaths, outWithinLimit, type PathsQuery } from '../routers/paths.js'

const MAX_HOPS = 3
const PARTS = [1, 0.25, 0.05]
const BEST_PER_PART = 16
const DISJOINT_ROUNDS = 10

/**
 * Candidate routes for Uniswap's split search, of at most three hops: the best for the whole order
 * and for parts of it, and the best pool-disjoint ones. The original selects pools by value locked,
 * without prices; an imitation of that was not better on any of the ten reference trades.
 */
export function candidateRoutes(market: Market, order: Order): readonly (readonly Edge[])[] {
  const routes = PARTS.flatMap((part) => {
    const query = {
      from: order.tokenIn,
      to: order.tokenOut,
      amount: Number(order.amountIn) * part,
      maxHops: MAX_HOPS,
    }
    const best = bestPaths(market.edges, { ...query, count: BEST_PER_PART })
    return [...best.map(({ path }) => path), ...disjointPaths(market, query)]
  })
  const byKey = new Map<string, readonly Edge[]>()
  for (const path of routes) {
    byKey.set(path.map(({ pool, tokenIn }) => pool.id + tokenIn).join(), path)
  }
  return [...byKey.values()]
}

/** The best pool-disjoint paths, found greedily. */
function disjointPaths(
  market: Market,
  query: Omit<PathsQuery, 'count' | 'gain'>,
): readonly (readonly Edge[])[] {
  const used = new Set<Pool>()
  const paths: (readonly Edge[])[] = []
  for (let round = 0; round < DISJOINT_ROUNDS; round++) {
    const [best] = bestPaths(market.edges, {
      ...query,
      count: 1,
      gain: (edge, x) => (used.has(edge.pool) ? 0 : outWithinLimit(edge, x)),
    })
    if (!best) break
    for (const { pool } of best.path) used.add(pool)
    paths.push(best.path)
  }
  return paths
}
