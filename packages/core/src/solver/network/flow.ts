/**
 * Flows on a network, in local numbers, and their topological order (Kahn's algorithm), for recovery
 * and rounding.
 */
import type { Network } from './problem.js'

/** Float amount into each local edge, 0 if unused: an estimate of the optimiser, never an answer. */
export type Flow = Float64Array

/** The tokens that the edges pass, from sources to sinks; `undefined` if the edges form a cycle. */
export function topologicalOrder(
  { from, to, tokens }: Pick<Network, 'from' | 'to' | 'tokens'>,
  edges: Int32Array,
): readonly number[] | undefined {
  const inDegree: number[] = new Array(tokens.length).fill(-1)
  const passed: number[] = []
  for (const i of edges) {
    for (const k of [to[i]!, from[i]!]) {
      if (inDegree[k] === -1) {
        inDegree[k] = 0
        passed.push(k)
      }
    }
    inDegree[to[i]!]!++
  }
  const order: number[] = []
  const ready = passed.filter((k) => inDegree[k] === 0)
  for (let k = ready.pop(); k !== undefined; k = ready.pop()) {
    order.push(k)
    for (const i of edges) {
      if (from[i] !== k) continue
      inDegree[to[i]!]!--
      if (inDegree[to[i]!] === 0) ready.push(to[i]!)
    }
  }
  return order.length === passed.length ? order : undefined
}
