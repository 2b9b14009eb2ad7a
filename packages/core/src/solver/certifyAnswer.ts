/**
 * The proof of an answer. Input: the search, the answer and the bounds before. Output: the lowest bound found,
 * among prices of the dual, of the answer, of the best path, and on the line between the first two, or a tighter one.
 * It never changes the answer.
 */
import { boundWithOpen } from './bound/simplePaths.js'
import { type BoundAtPrices, boundAt, boundBetween } from './bound/upperBound.js'
import { priceOutside, priceUnusedTokens } from './dual/clearingPrice.js'
import { minimiseDual } from './dual/newton.js'
import type { Problem } from './network/problem.js'
import { isProvenWithin, type Realised } from './primal/realise.js'
import type { Relaxed } from './search/bestSplit.js'
import type { SolveInput } from './terms.js'
import { SHORTFALL } from './tuning.js'

/**
 * The lowest bound found; `known` are bounds found before. Where it does not prove the answer, a tighter one is
 * searched as the options say.
 */
export function proveAnswer(
  relaxed: Relaxed,
  answer: Realised,
  known: readonly BoundAtPrices[],
  { terms, certificate, shouldStop }: SolveInput,
): BoundAtPrices {
  const { problem, relaxation, bound } = relaxed
  const atAnswer = boundAtAnswer(relaxed, answer)
  const bounds = [...known, atAnswer]
  // If gas matters, the prices of the answer give the lowest bound, otherwise those of the minimum.
  // Often prices between the two are better still.
  if (terms.gasCost > 0 && problem.outside.length === 0)
    bounds.push(boundBetween(relaxation, bound, atAnswer))
  const lowest = () => bounds.reduce((a, b) => (b.amount < a.amount ? b : a))
  const isFast = certificate === 'fast' || shouldStop()
  if (!isFast && !isProvenWithin(SHORTFALL, lowest(), answer))
    bounds.push(boundWithOpen(relaxation, atAnswer, new Set(answer.edges)))
  return lowest()
}

/**
 * The bound at the prices of an answer: those at the minimum of the dual over its edges, and clearing prices
 * for the tokens that it does not pass. Leaves the problem at these prices.
 */
export function boundAtAnswer(
  { problem, relaxation, prices }: Omit<Relaxed, 'bound'>,
  answer: Realised,
): BoundAtPrices {
  const used = localEdges(problem, answer.edges)
  minimiseDual(problem, used)
  priceUnusedTokens(problem, used, prices)
  return boundAt(relaxation, priceOutside(problem, relaxation))
}

/** Local numbers of edges given by graph number. */
function localEdges({ edges }: Problem, graphEdges: Int32Array): Int32Array {
  return graphEdges.map((e) => edges.indexOf(e))
}
