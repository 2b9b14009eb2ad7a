/**
 * The best split by primal heuristics. Input: a problem with the optimal prices of its dual. Output: the
 * best executable split found. One loop: each seed is a set of columns, which a local search improves and
 * the replay makes exact. A local search ends at the first of many local optima. So where few legs or little
 * gas are allowed it starts from several sides: multiples of the order, single paths, and looser caps
 * (strategic oscillation).
 */

import { firstPieces, pieceAt } from '../../math/pieces.js'
import { ROUTER_GAS } from '../../replay.js'
import type { Proved } from '../bound/upperBound.js'
import { type Problem, uncutAll } from '../network/problem.js'
import type { Relaxation } from '../network/relaxation.js'
import { better, type Candidate, realise } from '../primal/realise.js'
import type { Request, Terms } from '../terms.js'
import * as tuning from '../tuning.js'
import { bestPaths, bestPathsOfParts } from './bestPaths.js'
import type { Columns, Search } from './columns.js'
import { searchColumns } from './localSearch.js'
import { prune, type Selection } from './prune.js'

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
  const { problem, bound } = relaxed
  const first = prune(problem, problem.all, request.terms)
  const search = searchOf(relaxed, first, request.terms)
  const fixed = request.terms.gasCost * ROUTER_GAS
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
  const most = Number(bound.amount)
  const isClose = () => {
    return (
      progress.best && progress.best.realised.net >= most - tuning.CLOSE_TO_BOUND * Math.abs(most)
    )
  }
  for (const seed of seedsOf(search, first, progress)) {
    improve(seed)
    if (request.shouldStop() || search.known.size >= tuning.MAX_EVALUATED) break
    if (first.isGasBound && isClose()) break
  }
  // Predicted gas is a mean: a looser cap may fit all the same, and a tighter one be needed.
  for (const looser of first.isGasBound ? tuning.CAPS_AT_LAST : []) {
    if (progress.top) improve(progress.top, looser)
  }
  uncutAll(problem)
  return progress.best
}

/** A search over the columns of a problem; its paths are ranked at the prices in the problem. */
function searchOf(
  { problem, prices }: Pick<Relaxed, 'problem' | 'prices'>,
  { isGasBound }: Selection,
  terms: Terms,
): Search {
  const paths = isGasBound ? bestPathsOfParts(problem, terms) : []
  return { problem, prices, terms, paths, known: new Map() }
}

function* seedsOf(search: Search, first: Selection, progress: Progress): Generator<Columns> {
  yield first
  if (first.isGasBound) yield* columnsOfMultiples(search, progress)
  // Pruning a wide split seldom gives the best narrow one.
  const { problem, terms } = search
  const isNarrow = Math.min(terms.maxLegs, terms.room / tuning.LEG_GAS) <= tuning.FEW_LEGS
  const whole = isNarrow && !first.isGasBound ? bestPaths(problem, terms) : []
  const paths = [...search.paths, ...whole]
  for (const { edges, amounts, net } of paths) {
    if (amounts[0] === problem.amount) yield { edges, value: net }
  }
  if (!first.isGasBound) return
  for (let from = progress.top; from; ) {
    for (const looser of tuning.LOOSER) {
      const columns = searchColumns(search, from, looser)
      if (columns) yield columns
      if (progress.top !== from) break
    }
    from = progress.top === from ? undefined : progress.top
  }
}

/**
 * Columns for four times the order, which have room for it where it nearly drains its pools; and for smaller
 * and smaller parts, as long as they pay in proportion less than the part before.
 */
function* columnsOfMultiples(search: Search, progress: Progress): Generator<Columns> {
  const more = columnsOfMultiple(search, 1 / tuning.PART)
  if (more) yield more
  let before = progress.top?.value ?? 0
  for (let n = 1; n < tuning.MOST_PARTS; n++) {
    const columns = columnsOfMultiple(search, tuning.PART ** n)
    if (columns) yield columns
    if (!columns || columns.value < tuning.IN_PROPORTION * before) return
    before = columns.value
  }
}

/** Columns for a multiple of the order, which have room for it where it nearly drains its pools. */
function columnsOfMultiple({ problem, prices, terms }: Search, multiple: number) {
  const { pieces, x, amount } = problem
  uncutAll(problem)
  problem.u.set(prices)
  problem.amount = amount * multiple
  const first = prune(problem, problem.all, terms)
  const columns = searchColumns(searchOf({ problem, prices }, first, terms), first)
  problem.amount = amount
  if (!columns || multiple > 1) return columns
  // As far as the part of the order goes: the rest needs a path.
  const cuts = Array.from(columns.edges, (i) =>
    firstPieces(pieces[i]!, pieceAt(pieces[i]!, x[i]!) + 1),
  )
  return { ...columns, cuts }
}
