import { limitOf, outOf } from '../math/pieces.js'
import type { Problem } from './problem.js'
import { gasOf } from './support.js'

/** A path of local edges with what it brings less the gas of its hops, in sink units. */
export type Path = { readonly edges: Int32Array; readonly net: number }

// Ways kept per token and number of hops: the best alone may pass the very token wanted next.
const WAYS = 3
// A pool's curve is above what it pays but for the rounding of floats.
const ROUNDING = 1 + 1e-12

/**
 * The ways that reach each token in a number of hops, the best first: `WAYS` slots per token with
 * the amount brought, the last edge, and the slot that the way came from.
 */
type Reach = {
  readonly amount: Float64Array
  readonly edge: Int32Array
  readonly before: Int32Array
}

/**
 * For every number of hops up to `maxHops` the simple path that brings most for the whole amount, by
 * dynamic programming (Bellman–Ford by rounds) over a few ways per token, the best net of gas first.
 */
export function bestPaths(problem: Problem, maxHops: number, gasCost: number): readonly Path[] {
  const { edges, from, to, pieces, u, amount, source, sink } = problem
  const paths: Path[] = []
  const reached: Reach[] = [emptyReach(u.length)]
  reached[0]!.amount[source * WAYS] = amount
  for (let hop = 0; hop < maxHops; hop++) {
    const last = reached[hop]!
    const next = emptyReach(u.length)
    for (let i = 0; i < edges.length; i++) {
      if (from[i] === sink || to[i] === source) continue
      for (let slot = from[i]! * WAYS; slot < (from[i]! + 1) * WAYS; slot++) {
        const x = last.amount[slot]!
        if (x === 0) break
        if (x > limitOf(pieces[i]!)) continue
        // The chain pays whole wei, which decides where a way leads past a token of few.
        const y = Math.floor(outOf(pieces[i]!, x) * ROUNDING)
        // What is no better than the worst kept is none of the few; slots are in order.
        if (!(y > next.amount[(to[i]! + 1) * WAYS - 1]!)) break
        if (!passes(problem, reached, slot, to[i]!)) insert(next, to[i]!, y, i, slot)
      }
    }
    reached.push(next)
    const brought = next.amount[sink * WAYS]!
    if (brought > 0) {
      const path = trace(problem, reached)
      const gas = path.reduce((sum, i) => sum + gasOf(problem, i), 0)
      paths.push({ edges: path, net: brought - gasCost * gas })
    }
  }
  return paths.sort((a, b) => b.net - a.net || a.edges.length - b.edges.length)
}

function emptyReach(tokens: number): Reach {
  return {
    amount: new Float64Array(tokens * WAYS),
    edge: new Int32Array(tokens * WAYS).fill(-1),
    before: new Int32Array(tokens * WAYS).fill(-1),
  }
}

function insert(reach: Reach, token: number, y: number, edge: number, before: number): void {
  let slot = (token + 1) * WAYS - 1
  for (; slot > token * WAYS && reach.amount[slot - 1]! < y; slot--) {
    reach.amount[slot] = reach.amount[slot - 1]!
    reach.edge[slot] = reach.edge[slot - 1]!
    reach.before[slot] = reach.before[slot - 1]!
  }
  reach.amount[slot] = y
  reach.edge[slot] = edge
  reach.before[slot] = before
}

/** Whether the way in `slot` of the last round passes a token. */
function passes(
  { from }: Problem,
  reached: readonly Reach[],
  slot: number,
  token: number,
): boolean {
  let at = slot
  for (let hop = reached.length - 1; hop > 0; hop--) {
    if (from[reached[hop]!.edge[at]!] === token) return true
    at = reached[hop]!.before[at]!
  }
  return false
}

/** The edges of the best way to the sink in the last round. */
function trace({ sink }: Problem, reached: readonly Reach[]): Int32Array {
  const path = new Int32Array(reached.length - 1)
  let at = sink * WAYS
  for (let hop = reached.length - 1; hop > 0; hop--) {
    path[hop - 1] = reached[hop]!.edge[at]!
    at = reached[hop]!.before[at]!
  }
  return path
}
