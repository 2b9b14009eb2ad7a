import type { Edge } from '../graph.js'
import { type PlannedHop, SHARE_ONE } from '../route.js'
import { type Flow, topologicalOrder } from './flow.js'

/**
 * A flow as hops with shares on the executor's grid: tokens from source to sink, each token's hops
 * from the smallest to the deepest, the last of them taking all that remains, so no dust is left.
 * Throws on a flow with a cycle, which no solver may hand over.
 */
export function round(flow: Flow): readonly PlannedHop[] {
  const order = topologicalOrder(flow)
  if (!order) throw new Error('a flow with a cycle cannot be executed')
  const hops: PlannedHop[] = []
  for (const token of order) {
    const edges = [...flow].filter(([edge, amount]) => edge.tokenIn === token && amount > 0)
    edges.sort(([a, x], [b, y]) => x - y || compareIds(a, b))
    let remaining = edges.reduce((sum, [, amount]) => sum + amount, 0)
    for (const [i, [edge, amount]] of edges.entries()) {
      const isLast = i === edges.length - 1
      const share = isLast ? 0 : Math.min(SHARE_ONE, Math.round((amount / remaining) * SHARE_ONE))
      remaining -= amount
      if (isLast || share > 0) hops.push({ pool: edge.pool, direction: edge.direction, share })
    }
  }
  return hops
}

function compareIds(a: Edge, b: Edge): number {
  return a.pool.id < b.pool.id ? -1 : a.pool.id > b.pool.id ? 1 : 0
}
