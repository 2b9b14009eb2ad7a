/**
 * The best split by primal heuristics. Input: a problem with the optimal prices of its dual, and the
 * best single path. Output: the best executable split found. One loop: each seed is a support, which
 * is improved by a local search and realised in integers.
 */
import { ROUTER_GAS } from '../../replay.js'
import type { Problem } from '../network/problem.js'
import { uncutAll } from '../network/tickCuts.js'
import { type Candidate, realise } from '../primal/realise.js'
import type { Request } from '../terms.js'
import { CLOSE_TO_BOUND, FEW_LEGS, LEG_GAS, SHORT } from '../tuning.js'
import { bestPaths, type Path } from './bestPaths.js'
import { better, setPathPrices } from './candidate.js'
import { columnPlan, type Plan, type Relaxed, type Support } from './columnSeeds.js'
import { searchLocally } from './localSearch.js'
import { type Charges, chargesOf, prune, type Selection } from './prune.js'

/** A problem at the minimum of its dual, and an upper bound on the net output. */
export type Bounded = Relaxed & { readonly bound: number }

/**
 * The best split found. Where the dual's support fits the cap on gas, edges are added and dropped.
 * Where it does not, columns are, because a pool cut at a tick costs less gas.
 */
export function bestSplit(
  relaxed: Bounded,
  path: Candidate | undefined,
  request: Request,
): Candidate | undefined {
  const { problem, bound } = relaxed
  const fixed = request.terms.gasCost * ROUTER_GAS
  const charges = chargesOf(request, path && path.realised.net + fixed)
  const first = prune(problem, problem.all, charges)
  let best: Candidate | undefined
  let top: Support | undefined
  const isClose = () =>
    best !== undefined && best.realised.net >= bound - CLOSE_TO_BOUND * Math.abs(bound)
  const isShort = () => {
    const promised = top ? top.value - fixed : 0
    return !best || best.realised.net < promised - SHORT * Math.abs(promised)
  }
  const { seeds, improve } = first.isGasBound
    ? columnPlan(relaxed, first, charges, request, { top: () => top, isClose, isShort })
    : edgePlan(relaxed, first, charges, request)
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

/** The plan over edges; `first` is the support of the dual, pruned. */
function edgePlan(
  { problem, prices }: Relaxed,
  first: Selection,
  charges: Charges,
  { pathHops, terms }: Request,
): Plan {
  return {
    seeds: edgeSeeds(problem, first, charges, () => bestPaths(problem, pathHops, terms)),
    improve: (seed) => searchLocally(problem, prices, seed, charges),
  }
}

/**
 * Seeds for the search over edges: the support of the dual, pruned, and the best path of each number of
 * hops if few legs are allowed, because pruning a wide split seldom gives the best narrow one.
 */
function* edgeSeeds(
  problem: Problem,
  first: Selection,
  { maxLegs, maxGas }: Charges,
  paths: () => readonly Path[],
): Generator<Support> {
  yield first
  if (maxLegs > FEW_LEGS && maxGas > FEW_LEGS * LEG_GAS) return
  const grown = new Set<number>()
  for (const { edges, net } of paths()) {
    if (grown.has(edges.length)) continue
    grown.add(edges.length)
    setPathPrices(problem, edges)
    yield { edges, value: net }
  }
}
