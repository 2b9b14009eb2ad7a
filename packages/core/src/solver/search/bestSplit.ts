/**
 * The best split by primal heuristics. Input: a problem with the optimal prices of its dual. Output: the
 * best executable split found. One loop: each seed is a set of columns, which a local search improves and
 * the replay makes exact. A local search ends at the first of many local optima. So where few legs or little
 * gas are allowed, or the order drains its pools, it starts from several sides.
 */

import { firstPieces, pieceAt } from '../../math/pieces.js'
import { ROUTER_GAS } from '../../replay.js'
import type { Proved } from '../bound/upperBound.js'
import { gasAt } from '../network/gas.js'
import { type Problem, uncutAll } from '../network/problem.js'
import type { Relaxation } from '../network/relaxation.js'
import { significantFlow } from '../network/support.js'
import { better, type Candidate, realise } from '../primal/realise.js'
import type { Request, Terms } from '../terms.js'
import * as tuning from '../tuning.js'
import { bestPaths, bestPathsOfParts } from './bestPaths.js'
import type { Columns, Search } from './columns.js'
import { searchColumns } from './localSearch.js'
import { prune } from './prune.js'

/** A problem at the minimum of its dual over all edges. */
export type Relaxed = {
  readonly problem: Problem
  readonly relaxation: Relaxation
  /** The prices at that minimum; later stages change those in the problem. */
  readonly prices: Float64Array
  /** The bound at these prices. */
  readonly bound: Proved
}

/** How far the search has come: the best route, and the columns with the highest predicted value. */
type Progress = { best: Candidate | undefined; top: Columns | undefined }

/** The best split found. Leaves no pool of the problem cut. */
export function bestSplit(relaxed: Relaxed, request: Request): Candidate | undefined {
  const { problem, prices, bound } = relaxed
  const { terms } = request
  const isGasBound = needsTooMuchGas(problem, terms)
  const first = prune(problem, problem.all, terms)
  const paths = isGasBound ? bestPathsOfParts(problem, terms) : []
  const search: Search = { problem, prices, terms, paths, known: new Map() }
  const fixed = terms.gasCost * ROUTER_GAS
  const progress: Progress = { best: undefined, top: undefined }
  const tried = new Set<Columns>()
  const improve = (seed: Columns, looser?: number): void => {
    const columns = (!request.shouldStop() && searchColumns(search, seed, looser)) || seed
    const { best, top } = progress
    if (!(top && top.value >= columns.value)) progress.top = columns
    if (tried.has(columns) || (best && best.realised.net >= columns.value - fixed)) return
    tried.add(columns)
    progress.best = better(realise(problem, columns.edges, request), best)
  }
  /** Whether the best route is within a part of the bound. */
  const isWithin = (part: number) => {
    const most = Number(bound.amount)
    return (progress.best?.realised.net ?? Number.NEGATIVE_INFINITY) >= most - part * Math.abs(most)
  }
  const isFar = () => !isWithin(tuning.FAR_FROM_BOUND)
  for (const seed of seedsOf(search, first, isGasBound, isFar)) {
    improve(seed)
    if (request.shouldStop() || (isGasBound && isWithin(tuning.CLOSE_TO_BOUND))) break
  }
  const isOpen = () => isGasBound && !isWithin(tuning.CLOSE_TO_BOUND) && !request.shouldStop()
  // Strategic oscillation: at a looser cap, an edge can enter before the one that it replaces leaves.
  for (let from: Columns | undefined; progress.top && from !== progress.top; ) {
    from = progress.top
    for (const looser of tuning.LOOSER) {
      if (isOpen() && progress.top === from) improve(searchColumns(search, from, looser) ?? from)
    }
  }
  // Predicted gas is a mean: a looser cap may fit all the same, and a tighter one be needed.
  for (const looser of isGasBound ? tuning.CAPS_AT_LAST : []) {
    if (progress.top) improve(progress.top, looser)
  }
  uncutAll(problem)
  return progress.best
}

/**
 * Whether the support of the dual needs more gas than there is room for: as many of its legs as may stay,
 * with their mean gas. Then cutting some can be better than dropping others.
 */
export function needsTooMuchGas(
  problem: Problem,
  { room, maxLegs }: Pick<Terms, 'room' | 'maxLegs'>,
) {
  const active = significantFlow(problem, problem.all)
  const gas = active.reduce((sum, i) => sum + gasAt(problem, i), 0)
  return gas * Math.min(1, maxLegs / active.length) > room
}

/**
 * Where searches start: the first columns; where gas is scarce, columns for a multiple of the order; and single
 * paths, because pruning a wide split seldom gives the best narrow one. Where gas is scarce or the first answer
 * is far from its bound, also paths for parts of the order.
 */
function* seedsOf(
  search: Search,
  first: Columns,
  isGasBound: boolean,
  isFar: () => boolean,
): Generator<Columns> {
  const { problem, prices, terms } = search
  yield first
  const more = isGasBound && columnsOfMultiple(search, tuning.MULTIPLE)
  if (more) yield more
  const isNarrow = Math.min(terms.maxLegs, terms.room / tuning.LEG_GAS) <= tuning.FEW_LEGS
  uncutAll(problem)
  problem.u.set(prices)
  let { paths } = search
  if (!isGasBound && isFar()) paths = bestPathsOfParts(problem, terms)
  else if (!isGasBound && isNarrow) paths = bestPaths(problem, terms)
  for (const { edges, amounts, net } of paths) {
    // Where gas is scarce, only as far as the part of the order goes: another path takes the rest.
    const isCut = isGasBound && amounts[0] !== problem.amount
    const pieces = Array.from(edges, (i) => problem.whole[i]!)
    const cuts = pieces.map((all, n) => firstPieces(all, pieceAt(all, amounts[n]!) + 1))
    yield { edges, value: net, cuts: isCut ? cuts : pieces }
  }
}

/** Columns for a multiple of the order, which have room for it where it nearly drains its pools. */
function columnsOfMultiple(search: Search, multiple: number): Columns | undefined {
  const { problem, prices, terms } = search
  const { amount } = problem
  uncutAll(problem)
  problem.u.set(prices)
  problem.amount = amount * multiple
  const first = prune(problem, problem.all, terms)
  const paths = bestPathsOfParts(problem, terms)
  const columns = searchColumns({ ...search, paths, known: new Map() }, first)
  problem.amount = amount
  return columns
}
