/**
 * The solver: dual decomposition, primal heuristics and a certificate. Input: graph, order,
 * options. Output: the best route found, exact in integers, with an upper bound on any route. It
 * relaxes to the convex dual, looks for executable routes near its minimum, and bounds the gap.
 */

import type { Bound } from '../certificate/bound.js'
import type { Graph } from '../graph.js'
import type { Order } from '../order.js'
import { type BoundAtPrices, boundAt, certificateOf, pricesOf } from './bound/upperBound.js'
import { boundAtAnswer, proveAnswer } from './certifyAnswer.js'
import { priceOutside, promisingTokens } from './dual/clearingPrice.js'
import { minimiseDual } from './dual/newton.js'
import type { Problem } from './network/problem.js'
import { type Relaxation, relaxOrder, selectProblem } from './network/subgraph.js'
import { isProvenWithin, type Realised, realisePath } from './primal/realise.js'
import { bestPaths } from './search/bestPaths.js'
import { bestSplit, type Relaxed } from './search/bestSplit.js'
import { type Options, type SolveInput, type StartPrices, solveInputOf } from './terms.js'
import * as tuning from './tuning.js'

/** A route with its worth, its bound, and prices to start the next search from. */
export type Solution = Realised & {
  /** Absent only if the search was stopped before it had prices. */
  readonly bound?: Bound
  readonly prices: StartPrices
}

/**
 * The best route found for an order between two ERC-20 tokens, with a certificate of how close it
 * is to the optimum; `undefined` if no route is found that can take the whole amount. Never worse than the best single
 * path found. See docs/solver.md for the method.
 */
export function solve(graph: Graph, order: Order, options: Options = {}): Solution | undefined {
  const request = solveInputOf(graph, order, options)
  const relaxation = relaxOrder(request)
  const problem = relaxation && selectProblem(relaxation, [], request.start)
  if (!problem) return undefined
  const path = bestPath(problem, request)
  if (request.shouldStop()) return path && { prices: {}, ...path }
  const certified = (bound: BoundAtPrices) => certificateOf(relaxation, bound, request)
  // The prices of the best path may prove it optimal if gas dominates.
  const start = problem.u.slice()
  const isWhole = problem.outside.length === 0
  const atPath = path && isWhole && boundAtAnswer({ problem, relaxation, prices: start }, path)
  if (atPath && isProvenWithin(tuning.SHORTFALL, atPath, path)) {
    const bound = certified(atPath)
    return { bound, prices: bound.prices, ...path }
  }
  problem.u.set(start)
  const relaxed = relax(problem, relaxation)
  const prices = pricesOf(relaxed.problem, relaxed.prices)
  if (request.shouldStop()) return path && { bound: certified(relaxed.bound), prices, ...path }
  const best = bestSplit(relaxed, request, path)
  relaxed.problem.u.set(relaxed.prices)
  if (!best) return undefined
  const known = atPath ? [relaxed.bound, atPath] : [relaxed.bound]
  return { prices, bound: certified(proveAnswer(relaxed, best, known, request)), ...best }
}

/** The path with the highest net that can be executed. */
function bestPath(problem: Problem, request: SolveInput): Realised | undefined {
  for (const { edges } of bestPaths(problem, { ...request.terms, wanted: 1 })) {
    const found = realisePath(problem, edges, request)
    if (found) return found
  }
  return undefined
}

/** Column generation: solves the dual, prices the outside tokens and adds the promising ones. */
function relax(first: Problem, relaxation: Relaxation): Relaxed {
  let problem = first
  for (let round = 0; ; round++) {
    minimiseDual(problem, problem.all)
    const bound = boundAt(relaxation, priceOutside(problem, relaxation))
    const promising = promisingTokens(problem, relaxation, bound.worth)
    if (round === tuning.MAX_PRICE_OUTS || promising.length === 0)
      return { problem, relaxation, prices: problem.u.slice(), bound }
    const tokens = [...problem.tokens, ...promising]
    problem = selectProblem(relaxation, tokens, pricesOf(problem, problem.u)) ?? problem
  }
}
