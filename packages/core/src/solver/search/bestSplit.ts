/**
 * The best split by primal heuristics. Input: a problem with the optimal prices of its dual. Output: the
 * best executable split found. One loop: each seed is a set of columns, which a local search improves and
 * the replay makes exact. A local search ends at the first of many local optima, so it starts from several sides.
 */

import { edgeAt } from '../../graph.js'
import { simplePathSearch } from '../../math/bestSimplePath.js'
import { union } from '../../math/edgeSets.js'
import { cornerBefore, firstPieces, outOf, pieceAt } from '../../math/pieces.js'
import { ROUTER_GAS } from '../../replay.js'
import type { BoundAtPrices } from '../bound/upperBound.js'
import { priceUnusedTokens } from '../dual/clearingPrice.js'
import { minimiseDual } from '../dual/newton.js'
import { type Problem, uncutAll } from '../network/problem.js'
import type { Relaxation } from '../network/subgraph.js'
import { better, type Realised, realise } from '../primal/realise.js'
import type { SolveInput } from '../terms.js'
import * as tuning from '../tuning.js'
import { bestPathsOfParts, type Path } from './bestPaths.js'
import { type Columns, restore, type Search, type State } from './columns.js'
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

/**
 * The best split found, or the path given if no split is better. Leaves no pool of the problem cut. The seeds are the
 * pruned support of the dual and the best paths for the order and for parts of it; between them, the best split so far
 * grows by the best path beside it. Ends close to the bound, or when the budget of evaluations is spent.
 */
export function bestSplit(
  relaxed: Relaxed,
  request: SolveInput,
  path?: Realised,
): Realised | undefined {
  const { problem, prices, bound } = relaxed
  const { terms } = request
  const { whole } = problem
  const { shouldStop } = request
  const search: Search = {
    problem,
    prices,
    terms,
    paths: [],
    known: new Map(),
    budget: tuning.MAX_BUDGET,
    shouldStop,
  }
  let best = path
  let top: State | undefined
  const fixed = terms.gasCost * ROUTER_GAS
  const realised = new Set<Columns>()
  const improve = (seed: Columns): void => {
    const state = searchColumns(search, seed)
    if (state && !(top && top.value >= state.value)) top = state
    const columns = state ?? seed
    if (realised.has(columns) || (best && best.net >= columns.value - fixed)) return
    realised.add(columns)
    best = better(realise(problem, columns.edges, request), best)
  }
  const leg = tuning.LEG_GAS * terms.gasCost
  const isContested = (): boolean => !(top && top.gas < tuning.UNCONTESTED_GAS * terms.room)
  const isDone = (): boolean => {
    const kept = isContested() ? 0 : tuning.MAX_BUDGET - tuning.UNCONTESTED_BUDGET
    if (search.budget <= kept || shouldStop()) return true
    if (!best) return false
    return (
      Number(bound.amount) - best.net <= Math.max(leg, tuning.CLOSE_TO_BOUND * Math.abs(best.net))
    )
  }
  const grow = (): void => {
    for (let before: State | undefined; top && top !== before && !isDone(); ) {
      before = top
      restore(problem, before)
      const path = pathBeside(search, before.edges)
      if (path.length === 0) return
      uncutAll(problem)
      problem.u.set(prices)
      improve(prune(problem, union(before.edges, path).sort(), terms))
      improve({ edges: path, value: Number.POSITIVE_INFINITY })
    }
  }
  improve(prune(problem, problem.all, terms))
  grow()
  if (!isDone()) {
    uncutAll(problem)
    problem.u.set(prices)
    search.paths = bestPathsOfParts(problem, terms, isContested())
    for (const path of search.paths) {
      if (isDone()) break
      improve(columnsOf(problem, path))
    }
  }
  for (let before: Realised | undefined; best && best !== before; ) {
    before = best
    const capped = capAtHullCorner(problem, before)
    if (!capped) break
    problem.whole = capped
    uncutAll(problem)
    problem.u.set(prices)
    search.known.clear()
    search.budget = tuning.MAX_BUDGET
    minimiseDual(problem, problem.all)
    improve(prune(problem, problem.all, terms))
  }
  problem.whole = whole
  uncutAll(problem)
  return best
}

/** The columns of a path: one for a part of the order ends where its amounts do, as another takes the rest. */
function columnsOf(problem: Problem, { edges, amounts, net }: Path): Columns {
  const whole = Array.from(edges, (i) => problem.whole[i]!)
  const parts = whole.map((pieces, n) => firstPieces(pieces, pieceAt(pieces, amounts[n]!) + 1))
  return { edges, value: net, cuts: amounts[0] === problem.amount ? whole : parts }
}

/**
 * The simple path that makes most of the order's value beside some edges, at the prices in the problem: an unused edge
 * pays its first price, and its gas; a used one pays the prices of its tokens.
 */
function pathBeside({ problem, prices, terms }: Search, edges: Int32Array): Int32Array {
  const { graph, from, to, rate, amount, source, tokens } = problem
  priceUnusedTokens(problem, edges, prices)
  const ν = problem.u.map(Math.exp)
  const isUsed = new Uint8Array(from.length)
  for (const i of edges) isUsed[i] = 1
  const legs = Math.min(terms.maxLegs, terms.maxHops, tokens.length - 1)
  const factor = Float64Array.from(rate, (price, i) => {
    const own = (price * ν[to[i]!]!) / ν[from[i]!]!
    return isUsed[i] ? Math.min(1, own) : own
  })
  const cost = Float64Array.from(problem.edges, (e, i) =>
    isUsed[i] ? 0 : terms.gasCost * graph.gas[e]!,
  )
  const { path } = simplePathSearch({ ...problem, legs }, factor)(cost)(source, amount * ν[source]!)
  return Int32Array.from(path)
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
    if (!hop || i < 0) continue
    const [hull, amountIn] = [whole[i]!, Number(hop.amountIn)]
    const corner = cornerBefore(hull, amountIn, tuning.NEGLIGIBLE)
    // A pool pays whole wei.
    const due = Math.floor(outOf(hull, amountIn) * (1 - tuning.SHORTFALL))
    if (corner === 0 || Number(hop.amountOut) >= due) continue
    whole[i] = firstPieces(hull, corner)
    isCapped = true
  }
  return isCapped ? whole : undefined
}
