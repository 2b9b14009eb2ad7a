/**
 * An answer grown by one path. Input: an answer, and the path that a bound finds best beside it.
 * Output: the path alone, or the answer's edges and the path's together, whichever is executable and
 * better. The bound knows paths longer than the searches try.
 */
import type { Problem } from '../network/problem.js'
import { type Candidate, realise, realisePath } from '../primal/realise.js'
import type { Request } from '../terms.js'
import { better, localEdges } from './candidate.js'
import { prune } from './prune.js'

/** The better of the path and the answer grown by it; `undefined` if neither is executable. */
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
  const split = realise(problem, edges, request)
  return better(split, single)
}
