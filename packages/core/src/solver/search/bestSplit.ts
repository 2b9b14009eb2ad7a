/**
 * The best split by primal heuristics. Input: a problem with the optimal prices of its dual. Output: the
 * best executable split found. One loop: each seed is a set of columns, which a local search improves and
 * the replay makes exact. A local search ends at the first of many local optima. So where few legs or little
 * gas are allowed, or the order drains its pools, it starts from several sides.
 */

import { edgeAt } from '../../graph.js'
import { cornerBefore, firstPieces, outOf, pieceAt } from '../../math/pieces.js'
import { ROUTER_GAS } from '../../replay.js'
import type { BoundAtPrices } from '../bound/upperBound.js'
import { minimiseDual } from '../dual/newton.js'
import { gasAt } from '../network/gas.js'
import { type Problem, uncutAll } from '../network/problem.js'
import type { Relaxation } from '../network/subgraph.js'
import { significantFlow } from '../network/support.js'
import { better, isProvenWithin, type Realised, realise } from '../primal/realise.js'
import type { SolveInput, Terms } from '../terms.js'
import * as tuning from '../tuning.js'
import { bestPaths, bestPathsOfParts } from './bestPaths.js'
import type { Columns, Search, State } from './columns.js'
import { searchColumns } from './localSearch.js'
import { prune } from './prune.js'

/** A problem at the minimum of its dual over all edges. */
export type Relaxed = {
  readonly problem: Problem
  readonly relaxation: Relaxation
  /** The prices at that minimum; later stages change those in the problem. */
  readonly prices: Float64Array
  /** The bound at these prices. */
  readonly bound: BoundAtPrices
}

/** The state of the search: the best route, the ends of searches that are worth most, and the bound. */
type Progress = {
  best: Realised | undefined
  tops: readonly State[]
  readonly bound: BoundAtPrices
}

/** The best split found. Leaves no pool of the problem cut. */
export function bestSplit(relaxed: Relaxed, request: SolveInput): Realised | undefined {
  const { problem, prices, bound } = relaxed
  const { terms } = request
  const { whole } = problem
  const isGasBound = needsTooMuchGas(problem, terms)
  const paths = isGasBound ? bestPathsOfParts(problem, terms) : []
  const search: Search = { problem, prices, terms, paths, known: new Map() }
  const fixed = terms.gasCost * ROUTER_GAS
  const progress: Progress = { best: undefined, tops: [], bound }
  const realised = new Set<Columns>()
  const improve = (by: Search, seed: Columns, isLast = false): void => {
    const state = request.shouldStop() ? undefined : searchColumns(by, seed, isLast)
    const { best, tops } = progress
    const isNew = state && tops.every(({ value }) => !isSame(value, state.value))
    const ends = isNew ? [...tops, state] : tops
    progress.tops = ends.toSorted((a, b) => b.value - a.value).slice(0, tuning.COLUMNS_AT_LAST)
    const columns = state ?? seed
    if (realised.has(columns) || (best && best.net >= columns.value - fixed)) return
    realised.add(columns)
    progress.best = better(realise(problem, columns.edges, request), best)
  }
  const isSame = (a: number, b: number) => Math.abs(a - b) <= tuning.MIN_COLUMN_GAIN * Math.abs(a)
  const isClose = () => isProvenWithin(tuning.CLOSE_TO_BOUND, bound, progress.best)
  for (const seed of seedsOf(search, isGasBound, progress)) {
    improve(search, seed)
    if (request.shouldStop() || (isGasBound && isClose())) break
  }
  // A little more gas than there is leads to other columns, and these back within the cap.
  const looser = { ...search, terms: { ...terms, room: tuning.LOOSER_GAS_CAP * terms.room } }
  for (const by of isGasBound ? [looser, search] : []) {
    if (progress.tops[0]) improve(by, progress.tops[0])
  }
  // Moves that cost more time to try, and can only gain.
  for (const top of isGasBound ? progress.tops : []) improve(search, top, true)
  problem.whole = whole
  uncutAll(problem)
  return progress.best
}

/**
 * Returns true if the support of the dual needs more gas than there is room for: as many of its legs as may stay,
 * with their mean gas. Then cutting some can be better than dropping others.
 */
export function needsTooMuchGas(problem: Problem, { room, maxLegs }: Terms): boolean {
  const active = significantFlow(problem, problem.all)
  const gas = active.reduce((sum, i) => sum + gasAt(problem, i), 0)
  return gas * Math.min(1, maxLegs / active.length) > room
}

/**
 * The seeds of the search: pruned columns; and single paths, because pruning a wide split seldom gives the best
 * narrow one: all where few legs are allowed, the best two where the bound is far, and where gas is scarce or
 * the order drains its pools, those for parts of it. At last, while the best route uses a pool that pays less
 * than its hull, pruned columns with that pool cut at the corner before.
 */
function* seedsOf(search: Search, isGasBound: boolean, progress: Progress): Generator<Columns> {
  const { problem, prices, terms } = search
  yield prune(problem, problem.all, terms)
  const isNarrow = Math.min(terms.maxLegs, terms.room / tuning.LEG_GAS) <= tuning.FEW_LEGS
  const { best, bound } = progress
  // A small order can be as far from its bound, but is worth as much at its last price.
  const isDrained = problem.amount * Math.exp(prices[problem.source]!) < Number(bound.amount) / 2
  const isFar = isDrained && !isProvenWithin(tuning.FAR_FROM_BOUND, bound, best)
  const ofLegs = (tuning.CLOSE_IN_LEGS * tuning.LEG_GAS * terms.gasCost) / Math.abs(best?.net ?? 0)
  uncutAll(problem)
  problem.u.set(prices)
  let { paths } = search
  if (!isGasBound && isFar) paths = bestPathsOfParts(problem, terms)
  else if (!isGasBound && isNarrow) paths = bestPaths(problem, terms)
  else if (!isGasBound && !isProvenWithin(Math.max(tuning.CLOSE_TO_BOUND, ofLegs), bound, best))
    paths = bestPaths(problem, { ...terms, wanted: tuning.FEW_PATHS })
      .slice(0, tuning.FEW_PATHS)
      .filter(({ net }) => net > tuning.MIN_PATH_WORTH * (best?.net ?? 0))
  for (const { edges, amounts, net } of paths) {
    const whole = Array.from(edges, (i) => problem.whole[i]!)
    // A part ends where its amounts do: another path takes the rest of the order.
    const parts = whole.map((pieces, n) => firstPieces(pieces, pieceAt(pieces, amounts[n]!) + 1))
    yield { edges, value: net, cuts: isGasBound && amounts[0] !== problem.amount ? parts : whole }
  }
  for (let before: Realised | undefined; progress.best && progress.best !== before; ) {
    before = progress.best
    const capped = capAtHullCorner(problem, before)
    if (!capped) return
    problem.whole = capped
    uncutAll(problem)
    problem.u.set(prices)
    search.known.clear()
    minimiseDual(problem, problem.all)
    yield prune(problem, problem.all, terms)
  }
}

/**
 * The curves of the problem, that of every non-concave pool that pays less than its hull on this route
 * cut at the corner before its input. Up to there the hull is exact. `undefined` if no pool of the route falls short.
 */
export function capAtHullCorner(problem: Problem, { edges: used, route }: Realised) {
  const { graph, edges } = problem
  const whole = problem.whole.slice()
  let isCapped = false
  for (const e of used) {
    const { pool, direction, curve } = edgeAt(graph, e)
    if (!curve.isHull) continue
    const hop = route.find((one) => one.pool.id === pool.id && one.direction.in === direction.in)
    const i = edges.indexOf(e)
    if (!hop || i < 0 || hop.amountOut < tuning.MIN_OUT_OF_HULL) continue
    const [hull, amountIn] = [whole[i]!, Number(hop.amountIn)]
    const corner = cornerBefore(hull, amountIn, tuning.KINK)
    if (corner === 0 || Number(hop.amountOut) >= outOf(hull, amountIn) * (1 - tuning.SHORT_OF_HULL))
      continue
    whole[i] = firstPieces(hull, corner)
    isCapped = true
  }
  return isCapped ? whole : undefined
}
