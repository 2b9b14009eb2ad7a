/**
 * An answer grown by one path. Input: an answer, and the path that a bound finds best beside it.
 * Output: the path alone, or the answer's edges and the path's together, whichever is executable and
 * better. The bound knows paths longer than the searches try.
 */
import type { Order } from '../../order.js'
import { ROUTER_GAS } from '../../replay.js'
import type { Problem } from '../network/problem.js'
import type { Options } from '../options.js'
import { type Candidate, realise, realisePath } from '../primal/realise.js'
import type { Terms } from '../terms.js'
import { better, localEdges } from './candidate.js'
import { prune } from './prune.js'

/** The better of the path and the answer grown by it; `undefined` if neither is executable. */
export function growByPath(
  problem: Problem,
  answer: Candidate,
  path: Int32Array,
  order: Order,
  terms: Terms,
  { maxHops = Number.POSITIVE_INFINITY }: Options,
): Candidate | undefined {
  const added = localEdges(problem, path)
  if (added.includes(-1) || path.length > maxHops) return undefined
  const single = realisePath(problem, added, order, terms)
  const used = localEdges(problem, answer.edges)
  const together = Int32Array.from(new Set([...used, ...added])).sort()
  if (together.length === added.length) return single
  const { edges } = prune(problem, together, {
    ...{ gasCost: terms.gasCost, maxLegs: terms.maxLegs, maxGas: terms.maxGas - ROUTER_GAS },
    ...{ maxHops, floor: 0 },
  })
  const split = realise(problem, edges, order, terms)
  return better(split, single)
}
