/** Problems on small markets, for the tests of the solver's parts. */
import { buildGraph } from '../graph.js'
import type { Pool } from '../pools/index.js'
import { setStartPrices } from '../solver/dual/initialPrices.js'
import type { Problem } from '../solver/network/problem.js'
import { selectProblem } from '../solver/network/subgraph.js'
import { requestOf } from '../solver/terms.js'
import { snapshotOf, token } from './arbitraryMarkets.js'

/** The problem of selling an amount of one token, given by number, for another; with start prices. */
export function problemOf(
  pools: readonly Pool[],
  [from, to, amountIn]: readonly [number, number, bigint],
): Problem {
  const graph = buildGraph(snapshotOf(pools))
  const order = { tokenIn: token(from), tokenOut: token(to), amountIn }
  const request = requestOf(graph, order)
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
