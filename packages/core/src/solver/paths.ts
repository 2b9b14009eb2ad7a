import type { Edge, Graph } from '../graph.js'
import type { Address } from '../hex.js'

/** What a path search asks of the market. */
export type PathQuery = {
  readonly from: Address
  readonly to: Address
  readonly amount: number
  readonly maxHops: number
  /** Output of one edge for an input, given what it already carries; 0 bars the edge. */
  readonly gain: (edge: Edge, amount: number) => number
}

/**
 * The simple path of at most `maxHops` edges that brings the most for `amount`, by dynamic
 * programming over the number of hops (Bellman–Ford); `undefined` if none brings anything.
 */
export function bestPath(graph: Graph, query: PathQuery): readonly Edge[] | undefined {
  type Reached = { readonly amount: number; readonly path: readonly Edge[] }
  let frontier = new Map<Address, Reached>([[query.from, { amount: query.amount, path: [] }]])
  let best: Reached | undefined
  for (let hop = 0; hop < query.maxHops; hop++) {
    const next = new Map<Address, Reached>()
    for (const [token, reached] of frontier) {
      for (const edge of graph.edgesFrom.get(token) ?? []) {
        if (edge.tokenOut === query.from || visits(reached.path, edge.tokenOut)) continue
        const amount = query.gain(edge, reached.amount)
        if (!(amount > (next.get(edge.tokenOut)?.amount ?? 0))) continue
        next.set(edge.tokenOut, { amount, path: [...reached.path, edge] })
      }
    }
    const arrived = next.get(query.to)
    if (arrived && arrived.amount > (best?.amount ?? 0)) best = arrived
    next.delete(query.to)
    frontier = next
  }
  return best?.path
}

function visits(path: readonly Edge[], token: Address): boolean {
  return path.some((edge) => edge.tokenOut === token)
}
