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
import { bestPaths, bestPathsOfParts, type PartPath, type Path } from './bestPaths.js'
import { better, setPathPrices } from './candidate.js'
import { columnSeeds, type Relaxed, type Support } from './columnSeeds.js'
import { searchColumns } from './cutAtTicks.js'
import { searchLocally } from './localSearch.js'
import { type Charges, chargesOf, LEG_GAS, prune, type Selection } from './prune.js'

// The predicted gas of the distance that a price moves is a mean, and the chain counts whole words of
// ticks. Columns above the cap by at most this ratio may fit it when replayed.
const GAS_ERROR = 1.005
// If at most this many legs are allowed, splits are also grown from paths.
const FEW_LEGS = 16

/**
 * The best split found. Where the dual's support fits the cap on gas, edges are added and dropped.
 * Where it does not, columns are, because a pool cut at a tick costs less gas.
 */
export function bestSplit(
  relaxed: Relaxed,
  path: Candidate | undefined,
  request: Request,
): Candidate | undefined {
  const { problem, prices } = relaxed
  const { terms, shouldStop, pathHops } = request
  const fixed = terms.gasCost * ROUTER_GAS
  const charges = chargesOf(request, path && path.realised.net + fixed)
  const first = prune(problem, problem.all, charges)
  const explored = new Set<string>()
  const paths = new Map<number, readonly PartPath[]>()
  const pathsOf = (of: Problem): readonly PartPath[] => {
    const found = paths.get(of.amount) ?? bestPathsOfParts(of, pathHops, terms)
    paths.set(of.amount, found)
    return found
  }
  const improve = (seed: Support): Support | undefined => {
    if (shouldStop()) return seed
    if (!first.isGasBound) return searchLocally(problem, prices, seed, charges)
    problem.u.set(prices)
    return searchColumns(problem, prices, seed, { charges, paths: pathsOf(problem), explored })
  }
  let best: Candidate | undefined
  let top: Support | undefined
  const seeds = first.isGasBound
    ? columnSeeds(relaxed, first, { charges, shouldStop, pathsOf }, () => top)
    : edgeSeeds(problem, first, charges, () => bestPaths(problem, pathHops, terms))
  for (const seed of seeds) {
    const support = improve(seed)
    if (support && !(top && top.value >= support.value)) top = support
    if (support && !(best && best.realised.net >= support.value - fixed)) {
      best = better(realise(problem, support.edges, request), best)
    }
    if (shouldStop()) break
  }
  if (first.isGasBound && top && !shouldStop()) {
    problem.u.set(prices)
    const looser = { ...charges, maxGas: charges.maxGas * GAS_ERROR }
    const limits = { charges: looser, paths: pathsOf(problem), explored: new Set<string>() }
    const found = searchColumns(problem, prices, top, limits)
    if (found && found.value > top.value) {
      best = better(realise(problem, found.edges, request), best)
    }
  }
  uncutAll(problem)
  return best
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
