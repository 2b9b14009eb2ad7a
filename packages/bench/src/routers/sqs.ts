import type { Edge } from '../edges.js'
import type { Market } from '../market.js'
import type { Request } from '../request.js'
import { bestOf, hopsOfFlows, type PathFlow } from './pathSplit.js'
import { bestPaths, outWithinLimit } from './paths.js'
import type { Router } from './router.js'
import { bestSinglePath } from './singlePath.js'

const MAX_HOPS = 4
// Partial paths kept per token in the search; the original keeps twenty routes.
const CANDIDATES = 20
const MAX_ROUTES = 3
const INCREMENTS = 10

/**
 * Emulates Osmosis' sidecar query server: routes of at most four hops ranked by output, without
 * those that share a pool with a better one, and a dynamic programme over ten increments on the
 * best three. Routes are ranked by the whole amount, as in the original, and also by one increment,
 * which can only help; the better split is used.
 */
export const sqs: Router = {
  name: 'SQS (10 increments)',
  ready: (market) => ({
    name: 'SQS (10 increments)',
    capsLegs: false,
    quote: (request) => {
      const hops = bestOf(request, [
        bestSinglePath(market, request),
        hopsOfFlows(request, splitByProgramme(market, request, 1)),
        hopsOfFlows(request, splitByProgramme(market, request, 1 / INCREMENTS)),
      ])
      return hops && { hops }
    },
  }),
}

/** The split over routes ranked by their output for `part` of the order, in wei of the token in. */
export function splitByProgramme(
  market: Market,
  request: Request,
  part: number,
): readonly PathFlow[] {
  const amount = Number(request.order.amountIn)
  const routes = disjointRoutes(market, request, amount * part)
  const increments = allocate(routes.map((path) => outputsOf(path, amount)))
  return routes
    .map((path, i) => ({ path, amount: (amount * increments[i]!) / INCREMENTS }))
    .sort((a, b) => a.amount - b.amount)
}

/**
 * Increments per route with the highest total output, by dynamic programming (knapsack): best(j, x)
 * = max over p of best(j − 1, x − p) + out_j(p). `outputs[j][p]` is the output of route j for p
 * increments.
 */
export function allocate(outputs: readonly (readonly number[])[]): readonly number[] {
  let best: { readonly out: number; readonly parts: readonly number[] }[] = []
  for (let x = 0; x <= INCREMENTS; x++) best.push({ out: x === 0 ? 0 : -Infinity, parts: [] })
  for (const route of outputs) {
    best = best.map((_, x) => {
      let chosen = { out: -Infinity, parts: [] as readonly number[] }
      for (let p = 0; p <= x; p++) {
        const rest = best[x - p]!
        const out = rest.out + route[p]!
        if (out > chosen.out) chosen = { out, parts: [...rest.parts, p] }
      }
      return chosen
    })
  }
  const { parts } = best[INCREMENTS]!
  return parts.length === outputs.length ? parts : outputs.map(() => 0)
}

function outputsOf(path: readonly Edge[], amount: number): readonly number[] {
  return Array.from({ length: INCREMENTS + 1 }, (_, p) => {
    if (p === 0) return 0
    const out = path.reduce((x, edge) => outWithinLimit(edge, x), (amount * p) / INCREMENTS)
    return out > 0 ? out : -Infinity
  })
}

function disjointRoutes(
  market: Market,
  request: Request,
  amount: number,
): readonly (readonly Edge[])[] {
  const used = new Set<string>()
  const routes: (readonly Edge[])[] = []
  while (routes.length < MAX_ROUTES) {
    const [best] = bestPaths(market.edges, {
      from: request.order.tokenIn,
      to: request.order.tokenOut,
      amount,
      maxHops: MAX_HOPS,
      count: CANDIDATES,
      gain: (edge, x) => (used.has(edge.pool.id) ? 0 : outWithinLimit(edge, x)),
    })
    if (!best) break
    for (const { pool } of best.path) used.add(pool.id)
    routes.push(best.path)
  }
  return routes
}
