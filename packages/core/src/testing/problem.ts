/** Problems on small markets, for the tests of the solver's parts. */
import { buildGraph } from '../graph.js'
import type { Pool } from '../pools/index.js'
import { minimiseDual } from '../solver/dual/newton.js'
import type { Problem } from '../solver/network/problem.js'
import { relaxOrder, selectProblem } from '../solver/network/subgraph.js'
import { prune } from '../solver/search/prune.js'
import type { Options } from '../solver/terms.js'
import { type SolveInput, solveInputOf, type Terms } from '../solver/terms.js'
import { pair, snapshotOf, token } from './arbitraryMarkets.js'

/** An amount of one token, given by number, to be sold for another. */
type Sale = readonly [from: number, to: number, amountIn: bigint]

/** The request of a sale in a market of these pools. */
export function requestFor(
  pools: readonly Pool[],
  [from, to, amountIn]: Sale,
  options: Options = {},
): SolveInput {
  const order = { tokenIn: token(from), tokenOut: token(to), amountIn }
  return solveInputOf(buildGraph(snapshotOf(pools)), order, options)
}

/** The problem of a sale, with start prices. */
export function problemOf(pools: readonly Pool[], sale: Sale): Problem {
  const request = requestFor(pools, sale)
  const relaxation = relaxOrder(request)
  const problem = relaxation && selectProblem(relaxation)
  if (!problem) throw new Error('the tokens are not connected')
  return problem
}

/** The local numbers of the edges between two tokens given by number, in the order of the graph. */
export function edgesOf(problem: Problem, from: number, to: number): readonly number[] {
  const { graph, tokens, all } = problem
  const isAt = (local: number, n: number) => graph.tokens[tokens[local]!] === token(n)
  return [...all].filter((i) => isAt(problem.from[i]!, from) && isAt(problem.to[i]!, to))
}

const E18 = 10n ** 18n

const UNLIMITED = Number.POSITIVE_INFINITY

/** The terms of the start in {@link directOnly}: gas is free. */
export const freeTerms: Terms = {
  ...{ objective: 'net', gasCost: 0, maxLegs: 3, maxHops: 9, pathHops: 3 },
  ...{ maxGas: UNLIMITED, room: UNLIMITED },
}

/**
 * A sale for which a shallow direct pool competes with a deep pair of pools through a third token:
 * the problem at the optimum over the direct pool alone, and the prices over all edges.
 */
export function directOnly() {
  const pools = [
    pair(0, [1, 3], [40n * E18, 40n * E18]),
    pair(1, [1, 2], [100n * E18, 100n * E18]),
    pair(2, [2, 3], [100n * E18, 100n * E18]),
  ]
  const problem = problemOf(pools, [1, 3, 10n * E18])
  minimiseDual(problem, problem.all)
  const dualPrices = problem.u.slice()
  const direct = problem.all.filter((i) => problem.graph.poolOf[problem.edges[i]!] === 0)
  return { problem, dualPrices, first: prune(problem, direct, freeTerms) }
}
