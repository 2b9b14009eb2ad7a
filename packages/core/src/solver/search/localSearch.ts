/**
 * Local search with add and drop moves. Input: a selection of edges. Output: a selection of at
 * least the same value. It finds supports that greedy elimination alone cannot reach.
 */
import { solveArbitrage } from '../dual/arbitrage.js'
import type { Problem } from '../network/problem.js'
import { LEAST_EDGE_GAIN, MAX_EDGE_ROUNDS, MAX_INSERTIONS } from '../tuning.js'
import { additions, type Move } from './columnMoves.js'
import { type Charges, prune, type Selection } from './prune.js'

/**
 * In each round, adds the edges and the pairs of edges with the highest predicted gain, at the
 * selection's own prices, then prunes again. Rounds alternate the gain net of gas, if the move is an
 * addition, and the whole gain, if it replaces other edges; two in a row that do not raise the value end
 * the search. `dualPrices` are the optimal prices over all edges. Leaves the problem at the minimum over the
 * selection returned.
 */
export function searchLocally(
  problem: Problem,
  dualPrices: Float64Array,
  first: Selection,
  charges: Charges,
): Selection {
  let best = first
  const prices = problem.u.slice()
  for (let round = 0, misses = 0; round < MAX_EDGE_ROUNDS && misses < 2; round++) {
    problem.u.set(prices)
    const gasCost = round % 2 === 0 ? charges.gasCost : 0
    const moves = additions(problem, dualPrices, best.edges, { paths: [], gasCost })
    const ranked = moves.toSorted((a, b) => b.gain - a.gain - gasCost * (b.gas - a.gas))
    const added = onePairPerToken(problem, ranked)
      .slice(0, MAX_INSERTIONS)
      .flatMap(({ columns }) => columns.map(([i]) => i))
    misses++
    if (added.length === 0) continue
    const trial = prune(problem, Int32Array.from(new Set([...best.edges, ...added])), charges)
    if (trial.value <= best.value * (1 + LEAST_EDGE_GAIN)) continue
    misses = 0
    best = trial
    prices.set(problem.u)
  }
  problem.u.set(prices)
  solveArbitrage(problem, best.edges)
  return best
}

/** The moves, of those through the same new token only the first, so that one token does not take all. */
function onePairPerToken({ to }: Problem, moves: readonly Move[]): readonly Move[] {
  const passed = new Set<number>()
  return moves.filter(({ columns }) => {
    if (columns.length === 1) return true
    const middle = to[columns[0]![0]]!
    return !passed.has(middle) && passed.add(middle)
  })
}
