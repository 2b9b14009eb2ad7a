/**
 * Supports: sets of edges in use. Input: local edges of a problem at a minimum of its dual. Output: those that
 * matter, and what goes with an edge that is dropped. The choice of the edges asks for them.
 */
import { edgesByToken, removeDeadEnds } from '../../math/edgeSets.js'
import { NEGLIGIBLE, RESOLUTION } from '../tuning.js'
import { gasAt } from './gas.js'
import type { Problem } from './problem.js'

/** The edges with a significant flow, without dead ends. */
export function significantFlow(problem: Problem, edges: Int32Array): Int32Array {
  const { ν, to, y, c, amount, source } = problem
  const least = NEGLIGIBLE * amount * ν[source]!
  // Judged by the output: the input of a nearly drained pool can be large and worth almost nothing.
  const isLarge = (i: number) => y[i]! * ν[to[i]!]! + c[i]! * RESOLUTION > least
  return removeDeadEnds(problem, edges.filter(isLarge))
}

/** Counts legs and gas saved by dropping an edge: its own and those of dead ends. Follows a ring once. */
export function cascadesOf(problem: Problem, edges: Int32Array) {
  const { from, to, tokens, source, sink } = problem
  const leaving = edgesByToken(from, edges, tokens.length)
  const entering = edgesByToken(to, edges, tokens.length)
  const sides = [
    { near: from, own: leaving, others: entering, end: source },
    { near: to, own: entering, others: leaving, end: sink },
  ]
  return (i: number) => {
    const dropped = [i]
    for (const { near, own, others, end } of sides) {
      let k = near[i]!
      while (k !== end && own[k]!.length === 1 && dropped.length < edges.length) {
        const beyond = others[k]!
        dropped.push(...beyond)
        if (beyond.length !== 1) break
        k = near[beyond[0]!]!
      }
    }
    return { legs: dropped.length, gas: dropped.reduce((sum, e) => sum + gasAt(problem, e), 0) }
  }
}
