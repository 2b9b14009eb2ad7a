/**
 * Local search with add and drop moves. Input: a selection of edges. Output: a selection of at
 * least the same value. It finds supports that greedy elimination alone cannot reach.
 */
import { solveArbitrage } from '../dual/arbitrage.js'
import type { Problem } from '../network/problem.js'
import { additions } from './columnMoves.js'
import { type Charges, prune, type Selection } from './prune.js'

const MAX_ROUNDS = 6
const MAX_INSERTIONS = 8
const LEAST_GAIN = 1e-8

/**
 * In each round, adds the edges and the pairs of edges with the highest predicted gain net of gas, at
 * the selection's own prices, then prunes again; ends when a round does not raise the value.
 * `dualPrices` are the optimal prices over all edges. Leaves the problem at the minimum over the
 * selection returned.
 */
export function searchLocally(
  problem: Problem,
  dualPrices: Float64Array,
  first: Selection,
  charges: Charges,
): Selection {
  const { gasCost } = charges
  let best = first
  const prices = problem.u.slice()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    problem.u.set(prices)
    const moves = additions(problem, dualPrices, best.edges, { paths: [], gasCost })
    const added = moves
      .toSorted((a, b) => b.gain - a.gain - gasCost * (b.gas - a.gas))
      .slice(0, MAX_INSERTIONS)
      .flatMap(({ columns }) => columns.map(([i]) => i))
    if (added.length === 0) break
    const trial = prune(problem, Int32Array.from(new Set([...best.edges, ...added])), charges)
    if (trial.value <= best.value * (1 + LEAST_GAIN)) break
    best = trial
    prices.set(problem.u)
  }
  problem.u.set(prices)
  solveArbitrage(problem, best.edges)
  return best
}
