/**
 * The best split by primal heuristics. Input: a problem with the optimal prices of its dual. Output: the best executable split found. One loop: each seed is a support, which
 * is improved by a local search and realised in integers.
 */
import { ROUTER_GAS } from '../../replay.js'
import { uncutAll } from '../network/tickCuts.js'
import { type Candidate, realise } from '../primal/realise.js'
import type { Request } from '../terms.js'
import { CLOSE_TO_BOUND, SHORT } from '../tuning.js'
import { better } from './candidate.js'
import { columnPlan, type Relaxed, type Support } from './columnSeeds.js'
import { chargesOf, prune } from './prune.js'

/** A problem at the minimum of its dual, and an upper bound on the net output. */
export type Bounded = Relaxed & { readonly bound: number }

/**
 * The best split found. Leaves no pool of the problem cut.
 */
export function bestSplit(relaxed: Bounded, request: Request): Candidate | undefined {
  const { problem, bound } = relaxed
  const fixed = request.terms.gasCost * ROUTER_GAS
  const charges = chargesOf(request)
  const first = prune(problem, problem.all, charges)
  let best: Candidate | undefined
  let top: Support | undefined
  const isClose = () =>
    best !== undefined && best.realised.net >= bound - CLOSE_TO_BOUND * Math.abs(bound)
  const isShort = () => {
    const promised = top ? top.value - fixed : 0
    return !best || best.realised.net < promised - SHORT * Math.abs(promised)
  }
  const progress = { top: () => top, isClose, isShort }
  const { seeds, improve } = columnPlan(relaxed, first, charges, request, progress)
  const realised = new Set<Support>()
  for (const seed of seeds) {
    const support = request.shouldStop() ? seed : improve(seed)
    if (support && !(top && top.value >= support.value)) top = support
    const isNew = support && !realised.has(support)
    if (isNew && !(best && best.realised.net >= support.value - fixed)) {
      realised.add(support)
      best = better(realise(problem, support.edges, request), best)
    }
    if (request.shouldStop()) break
  }
  uncutAll(problem)
  return best
}
