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
  readonly out: number[]
  readonly into: number[]
}

type Ends = Pick<Problem, 'from' | 'to' | 'u' | 'source' | 'sink'>

/** Counts the degrees of a set of edges. */
export function supportOf({ from, to, u }: Ends, edges: Int32Array): Support {
  // Plain arrays: for short lives they cost the collector less.
  const out: number[] = new Array(u.length).fill(0)
  const into: number[] = new Array(u.length).fill(0)
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
export function removeDeadEnds(ends: Ends, edges: Int32Array): Int32Array {
  const { from, to, source, sink } = ends
  const { out, into } = supportOf(ends, edges)
  const isKept = (i: number): boolean => {
    const [a, k] = [from[i]!, to[i]!]
    const hasBefore = a === source || into[a]! > 0
    const hasAfter = k === sink || out[k]! > 0
    if (hasBefore && hasAfter && k !== source && a !== sink) return true
    out[a]!--
    into[k]!--
    return false
  }
  const left = edges.slice()
  for (let count = left.length; ; ) {
    let kept = 0
    for (let s = 0; s < count; s++) if (isKept(left[s]!)) left[kept++] = left[s]!
    if (kept === count) return left.subarray(0, kept)
    count = kept
  }
}

/** The cascade of dropping an edge: its own leg and the legs that become dead ends. */
export type Cascade = { readonly legs: number; readonly gas: number }

/**
 * Counts legs and gas saved by dropping edge `i`. Follows chains of single edges, and a ring once.
 */
export function cascadeOf(problem: Problem, { edges, out, into }: Support, i: number): Cascade {
  const { from, to, source, sink } = problem
  let legs = 1
  let gas = gasAt(problem, i)
  const directions = [
    { near: from, far: to, degree: out, end: source },
    { near: to, far: from, degree: into, end: sink },
  ]
  for (const { near, far, degree, end } of directions) {
    for (let k = near[i]!; k !== end && degree[k] === 1 && legs < edges.length; ) {
      let [count, last] = [0, 0]
      for (const e of edges) {
        if (far[e] !== k) continue
        gas += gasAt(problem, e)
        last = e
        count++
      }
      legs += count
      if (count !== 1) break
      k = near[last]!
    }
  }
  return { legs, gas }
}

/** The edges of one cycle, or `undefined` if there is none. */
export function findCycle(
  { from, to, u }: Problem,
  edges: Int32Array,
): readonly number[] | undefined {
  // Without ends, dead ends are all edges that are neither on cycles nor between two.
  const left = removeDeadEnds({ from, to, u, source: -1, sink: -1 }, edges)
  const path: number[] = []
  for (let i = left[0]; i !== undefined; i = left.find((e) => from[e] === to[path.at(-1)!])) {
    const start = path.findIndex((e) => from[e] === from[i!])
    if (start >= 0) return path.slice(start)
    path.push(i)
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
