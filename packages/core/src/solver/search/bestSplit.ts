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
import { CLOSE_TO_BOUND, FEW_LEGS, GAS_ERROR, LEG_GAS, MAX_EVALUATED } from '../tuning.js'
import { bestPaths, bestPathsOfParts, type Path } from './bestPaths.js'
import { better, setPathPrices } from './candidate.js'
import { columnSeeds, type Relaxed, type Support } from './columnSeeds.js'
import { type Known, nothingKnown, searchColumns } from './cutAtTicks.js'
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
  const { problem, prices } = relaxed
  const { terms, pathHops } = request
  const fixed = terms.gasCost * ROUTER_GAS
  const charges = chargesOf(request, path && path.realised.net + fixed)
  const first = prune(problem, problem.all, charges)
  const realised = new Set<Support>()
  const pathsOf = byAmount((of) => bestPathsOfParts(of, pathHops, terms))
  const all: Known[] = []
  const knownOf = byAmount(() => {
    const known = nothingKnown()
    all.push(known)
    return known
  })
  const evaluated = () => all.reduce((sum, { states }) => sum + states.size, 0)
  const shouldStop = () => request.shouldStop() || evaluated() >= MAX_EVALUATED
  const limitsOf = (of: Problem) => ({ charges, paths: pathsOf(of), known: knownOf(of) })
  const improve = (seed: Support): Support | undefined => {
    if (shouldStop()) return seed
    if (!first.isGasBound) return searchLocally(problem, prices, seed, charges)
    problem.u.set(prices)
    return searchColumns(problem, prices, seed, limitsOf(problem))
  }
  let best: Candidate | undefined
  let top: Support | undefined
  const seeds = first.isGasBound
    ? columnSeeds(relaxed, first, { charges, shouldStop, limitsOf }, () => top)
    : edgeSeeds(problem, first, charges, () => bestPaths(problem, pathHops, terms))
  for (const seed of seeds) {
    const support = improve(seed)
    if (support && !(top && top.value >= support.value)) top = support
    const isNew = support && !realised.has(support)
    if (isNew && !(best && best.realised.net >= support.value - fixed)) {
      realised.add(support)
      best = better(realise(problem, support.edges, request), best)
    }
    const isClose = best !== undefined && best.realised.net >= relaxed.bound * (1 - CLOSE_TO_BOUND)
    if (shouldStop() || (first.isGasBound && isClose)) break
  }
  if (first.isGasBound && top && !shouldStop()) {
    problem.u.set(prices)
    const looser = { ...charges, maxGas: charges.maxGas * GAS_ERROR }
    const limits = { ...limitsOf(problem), charges: looser }
    const found = searchColumns(problem, prices, top, limits)
    if (found && found.value > top.value) {
      best = better(realise(problem, found.edges, request), best)
    }
  }
  uncutAll(problem)
  return best
}

/** A function of a problem whose results are kept by the problem's amount. */
function byAmount<T>(compute: (of: Problem) => T): (of: Problem) => T {
  const kept = new Map<number, T>()
  return (of) => {
    const found = kept.get(of.amount) ?? compute(of)
    kept.set(of.amount, found)
    return found
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
