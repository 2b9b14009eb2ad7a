/**
 * Rounding of a flow to the executor's share grid. Input: an acyclic flow. Output: hops in
 * executable order. The last hop of each token takes all that remains, so no dust is left.
 */
import { type Edge, edgeAt } from '../../graph.js'
import { type PlannedHop, SHARE_ONE } from '../../replay.js'
import { type Flow, topologicalOrder } from '../network/flow.js'
import type { Network } from '../network/subgraph.js'
import { NEARLY_FULL } from '../tuning.js'

/**
 * The hops of a flow in topological order, with shares on the executor's grid. A share is a
 * fraction of what remains of a token, so the grid becomes finer with every hop: the largest flows
 * come first. The pool with most room left comes last and takes all that remains. Throws if the
 * flow has a cycle, which the solver never passes.
 */
export function roundShares(network: Network, flow: Flow): readonly PlannedHop[] {
  const { graph, edges, from } = network
  const order = topologicalOrder(network, flow.edges)
  if (!order) throw new Error('a flow with a cycle cannot be executed')
  const hops: PlannedHop[] = []
  for (const token of order) {
    const outgoing: (readonly [Edge, number])[] = []
    for (const [s, i] of flow.edges.entries()) {
      if (from[i] === token) outgoing.push([edgeAt(graph, edges[i]!), flow.amounts[s]!])
    }
    if (outgoing.length === 0) continue
    const roomiest = outgoing.reduce((a, b) => (roomOf(b) > roomOf(a) ? b : a))
    const others = outgoing.filter((entry) => entry !== roomiest)
    others.sort(([a, x], [b, y]) => y - x || compareIds(a, b))
    let remaining = outgoing.reduce((sum, [, amount]) => sum + amount, 0)
    for (const [edge, amount] of others) {
      const exact = (amount / remaining) * SHARE_ONE
      const isNearlyFull = amount > NEARLY_FULL * edge.curve.limit
      const share = Math.min(SHARE_ONE, isNearlyFull ? Math.floor(exact) : Math.round(exact))
      remaining -= amount
      if (share > 0) hops.push({ pool: edge.pool, direction: edge.direction, share })
    }
    const [{ pool, direction }] = roomiest
    hops.push({ pool, direction, share: 0 })
  }
  return hops
}

function roomOf([edge, amount]: readonly [Edge, number]): number {
  return edge.curve.limit - amount
}

function compareIds(a: Edge, b: Edge): number {
  return a.pool.id < b.pool.id ? -1 : a.pool.id > b.pool.id ? 1 : 0
}
