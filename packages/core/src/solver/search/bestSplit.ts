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
  const most = Number(bound.amount)
  const isClose = () => {
    return (
      progress.best && progress.best.realised.net >= most - tuning.CLOSE_TO_BOUND * Math.abs(most)
    )
  }
  for (const seed of seedsOf(search, first, isGasBound, progress)) {
    improve(seed)
    if (request.shouldStop() || search.known.size >= tuning.MAX_EVALUATED) break
    if (isGasBound && isClose()) break
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

function* seedsOf(
  search: Search,
  first: Columns,
  isGasBound: boolean,
  progress: Progress,
): Generator<Columns> {
  yield first
  if (isGasBound) yield* columnsOfMultiples(search, progress)
  // Pruning a wide split seldom gives the best narrow one.
  const { problem, terms } = search
  const isNarrow = Math.min(terms.maxLegs, terms.room / tuning.LEG_GAS) <= tuning.FEW_LEGS
  const whole = isNarrow && !isGasBound ? bestPaths(problem, terms) : []
  const paths = [...search.paths, ...whole]
  for (const { edges, amounts, net } of paths) {
    if (amounts[0] === problem.amount) yield { edges, value: net }
  }
  if (!isGasBound) return
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
  let before = 0
  for (let n = -1; n < tuning.MOST_PARTS; n++) {
    const columns = n === 0 ? progress.top : columnsOfMultiple(search, tuning.PART ** n)
    // The order itself was the first seed.
    if (columns && n !== 0) yield columns
    if (n < 0) continue
    if (!columns || columns.value < tuning.IN_PROPORTION * before) return
    before = columns.value
  }
}

/** Columns for a multiple of the order. */
function columnsOfMultiple(search: Search, multiple: number) {
  const { problem, prices, terms } = search
  const { pieces, x, amount } = problem
  uncutAll(problem)
  problem.u.set(prices)
  problem.amount = amount * multiple
  const first = prune(problem, problem.all, terms)
  const columns = searchColumns(
    { ...search, paths: bestPathsOfParts(problem, terms), known: new Map() },
    first,
  )
  problem.amount = amount
  if (!columns || multiple > 1) return columns
  // As far as the part of the order goes: the rest needs a path.
  const cuts = Array.from(columns.edges, (i) =>
    firstPieces(pieces[i]!, pieceAt(pieces[i]!, x[i]!) + 1),
  )
  return { ...columns, cuts }
}
