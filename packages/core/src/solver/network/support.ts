/**
 * Supports: sets of edges in use. Input: edges of a problem. Output: their degrees, dead ends, cycles,
 * long paths, and what goes with an edge that is dropped. The choice of the edges asks for them.
 */
import { NEGLIGIBLE, RESOLUTION } from '../tuning.js'
import { gasAt } from './gas.js'
import type { Problem } from './problem.js'

/** The edges in use, and the number of them that enter and leave each token. */
export type Support = {
  readonly edges: Int32Array
  readonly out: Int32Array
  readonly into: Int32Array
}

/** Counts the degrees of a set of edges. */
export function supportOf({ from, to, u }: Problem, edges: Int32Array): Support {
  const out = new Int32Array(u.length)
  const into = new Int32Array(u.length)
  for (let s = 0; s < edges.length; s++) {
    out[from[edges[s]!]!]!++
    into[to[edges[s]!]!]!++
  }
  return { edges, out, into }
}

/** The edges with a significant flow, without dead ends. */
export function significantFlow(problem: Problem, edges: Int32Array): Int32Array {
  const { ν, to, y, c, amount, source } = problem
  const least = NEGLIGIBLE * amount * ν[source]!
  return removeDeadEnds(
    problem,
    // Judged by the output: the input of a nearly drained pool can be large and worth almost
    // nothing.
    edges.filter((i) => y[i]! * ν[to[i]!]! + c[i]! * RESOLUTION > least),
  )
}

/** Drops dead ends, repeatedly: edges at a token with no edge in or no edge out. */
export function removeDeadEnds(problem: Problem, edges: Int32Array): Int32Array {
  const { from, to, source, sink } = problem
  for (let left = edges; ; ) {
    const { out, into } = supportOf(problem, left)
    const kept = left.filter(
      (i) =>
        (from[i] === source || into[from[i]!]! > 0) &&
        (to[i] === sink || out[to[i]!]! > 0) &&
        to[i] !== source &&
        from[i] !== sink,
    )
    if (kept.length === left.length) return kept
    left = kept
  }
}

/** The cascade of dropping an edge: its own leg and the legs that become dead ends. */
export type Cascade = { readonly legs: number; readonly gas: number }

/**
 * Counts legs and gas saved by dropping edge `i`. Follows chains of single edges, and a ring once.
 */
export function cascadeOf(problem: Problem, support: Support, i: number): Cascade {
  const { from, to, source, sink } = problem
  const most = support.edges.length
  let legs = 1
  let gas = gasAt(problem, i)
  for (let a = from[i]!; a !== source && support.out[a] === 1 && legs < most; ) {
    const before = support.edges.filter((e) => to[e] === a)
    for (const e of before) {
      legs++
      gas += gasAt(problem, e)
    }
    if (before.length !== 1) break
    a = from[before[0]!]!
  }
  for (let b = to[i]!; b !== sink && support.into[b] === 1 && legs < most; ) {
    const after = support.edges.filter((e) => from[e] === b)
    for (const e of after) {
      legs++
      gas += gasAt(problem, e)
    }
    if (after.length !== 1) break
    b = to[after[0]!]!
  }
  return { legs, gas }
}

/** The edges of one cycle, or `undefined` if there is none. */
export function findCycle(problem: Problem, edges: Int32Array): readonly number[] | undefined {
  const { from, to, u } = problem
  const leaving: number[][] = Array.from(u, () => [])
  for (const i of edges) leaving[from[i]!]!.push(i)
  const isOpen = new Uint8Array(u.length)
  const isDone = new Uint8Array(u.length)
  const path: number[] = []
  const visit = (k: number): readonly number[] | undefined => {
    isOpen[k] = 1
    for (const i of leaving[k]!) {
      const next = to[i]!
      if (isDone[next]) continue
      path.push(i)
      if (isOpen[next]) return path.slice(path.findIndex((e) => from[e] === next))
      const cycle = visit(next)
      if (cycle) return cycle
      path.pop()
    }
    isOpen[k] = 0
    isDone[k] = 1
    return undefined
  }
  for (let k = 0; k < u.length; k++) {
    const cycle = isDone[k] ? undefined : visit(k)
    if (cycle) return cycle
  }
  return undefined
}

/** A path of more than `maxHops` edges in an acyclic set, or `undefined` if there is none. */
export function findLongPath(
  problem: Problem,
  edges: Int32Array,
  maxHops: number,
): readonly number[] | undefined {
  const { from, to, source } = problem
  if (edges.length <= maxHops) return undefined
  let paths: readonly (readonly number[])[] = Array.from(
    edges.filter((i) => from[i] === source),
    (i) => [i],
  )
  for (let hops = 1; hops <= maxHops; hops++) {
    // One path per token and exact number of hops is enough to find a longer one.
    const byEnd = new Map<number, readonly number[]>()
    for (const path of paths) {
      for (const i of edges) if (from[i] === to[path.at(-1)!]) byEnd.set(to[i]!, [...path, i])
    }
    paths = [...byEnd.values()]
  }
  return paths[0]
}
