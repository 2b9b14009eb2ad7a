/**
 * Greedy split by successive best paths. Input: a problem. Output: a {@link Flow} that places the
 * whole amount, in equal chunks. It helps where the order drains its pools, because the dual may
 * leave a rest unplaced.
 */
import { outOf } from '../../math/pieces.js'
import { type Flow, topologicalOrder } from '../network/flow.js'
import type { Problem } from '../network/problem.js'
import type { Terms } from '../terms.js'
import { bestPaths } from './bestPaths.js'

const CHUNKS = 20
// Most hops per path: longer paths leave too few legs to split over.
const SHORT = 3

/**
 * A flow that places the whole amount: equal chunks, each along the path with the highest output
 * after the chunks before it. `undefined` if a chunk finds no path within the legs allowed.
 */
export function splitGreedily(problem: Problem, maxHops: number, terms: Terms): Flow | undefined {
  const { graph, edges, pieces } = problem
  const poolOf = (i: number) => graph.poolOf[edges[i]!]!
  const chunk = { ...problem, amount: problem.amount / CHUNKS }
  const taken = new Float64Array(edges.length)
  let used = new Int32Array(0)
  const isAllowed = (path: Int32Array) => {
    const next = Int32Array.from(new Set([...used, ...path]))
    const isSimple = new Set(Array.from(next, poolOf)).size === next.length
    return isSimple && next.length <= terms.maxLegs && topologicalOrder(problem, next) !== undefined
  }
  const findPath = (isClosed: boolean) =>
    bestPaths(chunk, Math.min(maxHops, SHORT), terms, {
      taken: { amounts: taken, isClosed },
    }).find((path) => isAllowed(path.edges))
  for (let n = 0; n < CHUNKS; n++) {
    const path = findPath(false) ?? findPath(true)
    if (!path) return undefined
    used = Int32Array.from(new Set([...used, ...path.edges]))
    let x = chunk.amount
    for (const i of path.edges) {
      const before = outOf(pieces[i]!, taken[i]!)
      taken[i]! += x
      x = outOf(pieces[i]!, taken[i]!) - before
    }
  }
  return { edges: used, amounts: Float64Array.from(used, (i) => taken[i]!) }
}
