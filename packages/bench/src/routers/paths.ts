import type { Address } from '@braid-swap/core'
import type { Edge, Edges } from '../edges.js'

/** A simple path and its output by the float curves. */
export type RatedPath = { readonly path: readonly Edge[]; readonly amountOut: number }

/** Parameters of a path search. */
export type PathsQuery = {
  readonly from: Address
  readonly to: Address
  readonly amount: number
  readonly maxHops: number
  /** Paths wanted, best first; also the number of partial paths kept per token and hop. */
  readonly count: number
  /** Output of an edge for an input; 0 excludes the edge. Default: its curve, up to its limit. */
  readonly gain?: (edge: Edge, amount: number) => number
}

type Label = { readonly amount: number; readonly edge: Edge; readonly before: Label | undefined }

/**
 * The simple paths with the highest output for an amount: Bellman–Ford over the number of hops,
 * with the `count` best labels per token. Exact for paths whose every prefix is among the `count`
 * best at its token, which all routers here assume.
 */
export function bestPaths(edges: Edges, query: PathsQuery): readonly RatedPath[] {
  const gain = query.gain ?? outWithinLimit
  let frontier = new Map<Address, readonly (Label | undefined)[]>([[query.from, [undefined]]])
  const arrived: Label[] = []
  for (let hop = 0; hop < query.maxHops && frontier.size > 0; hop++) {
    const next = new Map<Address, Label[]>()
    for (const [token, labels] of frontier) {
      for (const edge of edges.from.get(token) ?? []) {
        if (edge.tokenOut === query.from) continue
        for (const before of labels) {
          if (visits(before, edge)) continue
          const amount = gain(edge, before ? before.amount : query.amount)
          if (!(amount > 0)) continue
          keep(next, edge.tokenOut, { amount, edge, before }, query.count)
        }
      }
    }
    arrived.push(...(next.get(query.to) ?? []))
    next.delete(query.to)
    frontier = next
  }
  arrived.sort((a, b) => b.amount - a.amount)
  return arrived
    .slice(0, query.count)
    .map((label) => ({ path: unwind(label), amountOut: label.amount }))
}

/** The curve's output; 0 beyond the pool's limit. */
export function outWithinLimit(edge: Edge, amount: number): number {
  return amount > edge.curve.limit ? 0 : edge.curve.out(amount)
}

function visits(label: Label | undefined, edge: Edge): boolean {
  for (let at = label; at; at = at.before) {
    if (at.edge.tokenOut === edge.tokenOut || at.edge.pool === edge.pool) return true
  }
  return false
}

function keep(into: Map<Address, Label[]>, token: Address, label: Label, count: number): void {
  const list = into.get(token)
  if (!list) {
    into.set(token, [label])
    return
  }
  if (list.length === count && list[count - 1]!.amount >= label.amount) return
  let at = list.length
  while (at > 0 && list[at - 1]!.amount < label.amount) at--
  list.splice(at, 0, label)
  if (list.length > count) list.pop()
}

function unwind(label: Label): readonly Edge[] {
  const path: Edge[] = []
  for (let at: Label | undefined = label; at; at = at.before) path.push(at.edge)
  return path.reverse()
}
