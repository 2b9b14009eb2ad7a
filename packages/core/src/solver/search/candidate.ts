/**
 * Candidate routes: their comparison, and their growth by one path. Input: an answer, and the path that a
 * bound finds best beside it. Output: the better of the two, alone or together. The bound knows paths longer
 * than the searches try.
 */
import type { Problem } from '../network/problem.js'
import { type Candidate, realise, realisePath } from '../primal/realise.js'
import type { Request } from '../terms.js'
import { prune } from './prune.js'

/** The candidate with the higher net; the second if they are equal. */
export function better(a: Candidate | undefined, b: Candidate | undefined): Candidate | undefined {
  return a && !(b && b.realised.net >= a.realised.net) ? a : b
}

/** Local numbers of edges given by graph number. */
export function localEdges({ edges }: Problem, graphEdges: Int32Array): Int32Array {
  return graphEdges.map((e) => edges.indexOf(e))
}

/**
 * The better of a path, in graph numbers, and the split over its edges and the answer's; `undefined` if
 * neither is executable.
 */
export function growByPath(
  problem: Problem,
  answer: Candidate,
  path: Int32Array,
  request: Request,
): Candidate | undefined {
  const added = localEdges(problem, path)
  if (added.includes(-1) || path.length > request.terms.maxHops) return undefined
  const single = realisePath(problem, added, request)
  const used = localEdges(problem, answer.edges)
  const together = Int32Array.from(new Set([...used, ...added])).sort()
  if (together.length === added.length) return single
  const { edges } = prune(problem, together, request.terms)
  return better(realise(problem, edges, request), single)
}
