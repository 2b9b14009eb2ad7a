/** Flows on a network and their topological order (Kahn's algorithm), for recovery and rounding. */
import type { Edge } from '../../graph.js'
import type { Address } from '../../hex.js'

/** Float amounts on edges: an estimate of the optimiser, never an answer. */
export type Flow = ReadonlyMap<Edge, number>

/** The tokens of a flow from sources to sinks, or `undefined` if the flow has a cycle. */
export function topologicalOrder(flow: Flow): readonly Address[] | undefined {
  const inDegree = new Map<Address, number>()
  for (const edge of flow.keys()) {
    inDegree.set(edge.tokenOut, (inDegree.get(edge.tokenOut) ?? 0) + 1)
    inDegree.set(edge.tokenIn, inDegree.get(edge.tokenIn) ?? 0)
  }
  const order: Address[] = []
  const ready = [...inDegree].filter(([, degree]) => degree === 0).map(([token]) => token)
  for (let token = ready.pop(); token !== undefined; token = ready.pop()) {
    order.push(token)
    for (const edge of flow.keys()) {
      if (edge.tokenIn !== token) continue
      const degree = inDegree.get(edge.tokenOut)! - 1
      inDegree.set(edge.tokenOut, degree)
      if (degree === 0) ready.push(edge.tokenOut)
    }
  }
  return order.length === inDegree.size ? order : undefined
}
