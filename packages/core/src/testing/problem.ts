/** Problems on small markets, for the tests of the solver's parts. */
import { buildGraph } from '../graph.js'
import type { Pool } from '../pools/index.js'
import { setStartPrices } from '../solver/dual/initialPrices.js'
import type { Problem } from '../solver/network/problem.js'
import { selectProblem } from '../solver/network/subgraph.js'
import type { Options } from '../solver/options.js'
import { type Request, requestOf } from '../solver/terms.js'
import { snapshotOf, token } from './arbitraryMarkets.js'

/** An amount of one token, given by number, to be sold for another. */
type Sale = readonly [from: number, to: number, amountIn: bigint]

/** The request of a sale in a market of these pools. */
export function requestFor(
  pools: readonly Pool[],
  [from, to, amountIn]: Sale,
  options: Options = {},
): Request {
  const order = { tokenIn: token(from), tokenOut: token(to), amountIn }
  return requestOf(buildGraph(snapshotOf(pools)), order, options)
}

/** The problem of a sale, with start prices. */
export function problemOf(pools: readonly Pool[], sale: Sale): Problem {
  const request = requestFor(pools, sale)
  const problem = selectProblem(request)
  if (!problem) throw new Error('the tokens are not connected')
  setStartPrices(problem, request.reference, {})
  return problem
}

/** The local numbers of the edges between two tokens given by number, in the order of the graph. */
export function edgesOf(problem: Problem, from: number, to: number): readonly number[] {
  const { graph, tokens, all } = problem
  const isAt = (local: number, n: number) => graph.tokens[tokens[local]!] === token(n)
  return [...all].filter((i) => isAt(problem.from[i]!, from) && isAt(problem.to[i]!, to))
}
