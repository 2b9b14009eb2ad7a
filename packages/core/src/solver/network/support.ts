/**
 * Supports: sets of edges in use. Input: local edges of a network. Output: dead ends, what goes with an
 * edge that is dropped, cycles and long paths, and an order of the tokens. The choice of the edges and the
 * recovery of their flow ask for them.
 */
import { NEGLIGIBLE, RESOLUTION } from '../tuning.js'
import { gasAt } from './gas.js'
import type { Network, Problem } from './problem.js'

type Ends = Pick<Network, 'tokens' | 'from' | 'to' | 'source' | 'sink'>

/** The edges with a significant flow, without dead ends. */
export function significantFlow(problem: Problem, edges: Int32Array): Int32Array {
  const { ν, to, y, c, amount, source } = problem
  const least = NEGLIGIBLE * amount * ν[source]!
  // Judged by the output: the input of a nearly drained pool can be large and worth almost nothing.
  const isLarge = (i: number) => y[i]! * ν[to[i]!]! + c[i]! * RESOLUTION > least
  return removeDeadEnds(problem, edges.filter(isLarge))
}

/** The numbers of edges that leave and enter each token. */
function degreesOf({ tokens, from, to }: Ends, edges: Int32Array) {
  // Plain arrays: for short lives they cost the collector less.
  const out: number[] = new Array(tokens.length).fill(0)
  const into = out.slice()
  for (let s = 0; s < edges.length; s++) {
    out[from[edges[s]!]!]!++
    into[to[edges[s]!]!]!++
  }
  return { out, into }
}

/** Drops dead ends, repeatedly: edges at a token with no edge in or no edge out. */
export function removeDeadEnds(ends: Ends, edges: Int32Array): Int32Array {
  const { from, to, source, sink } = ends
  const { out, into } = degreesOf(ends, edges)
  out[sink] = into[source] = Number.POSITIVE_INFINITY
  const isKept = (i: number): boolean => {
    const [a, k] = [from[i]!, to[i]!]
    if (into[a]! > 0 && out[k]! > 0 && k !== source && a !== sink) return true
    out[a]!--
    into[k]!--
    return false
  }
  for (let left = edges; ; ) {
    const kept = left.filter(isKept)
    if (kept.length === left.length) return kept
    left = kept
  }
}

/** The cascade of dropping an edge: its own leg and the legs that become dead ends. */
export type Cascade = { readonly legs: number; readonly gas: number }

/**
 * Counts legs and gas saved by dropping each edge. Follows chains of single edges, and a ring once.
 */
export function cascadesOf(problem: Problem, edges: Int32Array): (i: number) => Cascade {
  const { from, to, source, sink } = problem
  const { out, into } = degreesOf(problem, edges)
  const directions = [
    { near: from, far: to, degree: out, end: source },
    { near: to, far: from, degree: into, end: sink },
  ]
  return (i) => {
    const dropped = [i]
    for (const { near, far, degree, end } of directions) {
      let last = i
      for (
        let k = near[i]!;
        k !== end && degree[k] === 1 && dropped.length < edges.length;
        k = near[last]!
      ) {
        const before = edges.filter((e) => far[e] === k)
        dropped.push(...before)
        if (before.length !== 1) break
        last = before[0]!
      }
    }
    return { legs: dropped.length, gas: dropped.reduce((sum, e) => sum + gasAt(problem, e), 0) }
  }
}

/** The edges on cycles, and those between two: without ends, all others are dead ends. */
export function cyclicEdges(network: Network, edges: Int32Array): Int32Array {
  return removeDeadEnds({ ...network, source: -1, sink: -1 }, edges)
}

/** A walk of more than `maxHops` edges; `undefined` if there is none. In an acyclic set it is a path. */
export function findLongWalk(
  { from, to }: Pick<Network, 'from' | 'to'>,
  edges: Int32Array,
  maxHops: number,
): readonly number[] | undefined {
  if (edges.length <= maxHops) return undefined
  // By token, a walk of as many edges that ends there.
  let walks = new Map<number, readonly number[]>(Array.from(edges, (i) => [from[i]!, []]))
  for (let hops = 0; hops <= maxHops && walks.size > 0; hops++) {
    const longer: typeof walks = new Map()
    for (const i of edges) {
      const walk = walks.get(from[i]!)
      if (walk) longer.set(to[i]!, [...walk, i])
    }
    walks = longer
  }
  return walks.values().next().value
}

/** The tokens that the edges pass, from sources to sinks (Kahn); `undefined` if the edges form a cycle. */
export function topologicalOrder(
  { from, to, tokens }: Pick<Network, 'from' | 'to' | 'tokens'>,
  edges: Int32Array,
): readonly number[] | undefined {
  const inDegree: number[] = new Array(tokens.length).fill(-1)
  const passed: number[] = []
  for (const i of edges) {
    for (const k of [to[i]!, from[i]!]) {
      if (inDegree[k] !== -1) continue
      inDegree[k] = 0
      passed.push(k)
    }
    inDegree[to[i]!]!++
  }
  // The token found last comes first, so that paths stay together.
  const ready = passed.filter((k) => inDegree[k] === 0)
  const order: number[] = []
  for (let k = ready.pop(); k !== undefined; k = ready.pop()) {
    order.push(k)
    for (const i of edges) if (from[i] === k && --inDegree[to[i]!]! === 0) ready.push(to[i]!)
  }
  return order.length === passed.length ? order : undefined
}
