/**
 * The proof of an answer. Input: the search, the answer and the bounds before. Output: the
 * answer with the lowest bound found, among prices of the dual, of the answer, of the best path, and
 * on the line between the first two, or a tighter one. If that finds a better path, the answer is grown by it:
 * the bound knows paths longer than the searches try.
 */
import { boundWithOpen } from './bound/simplePaths.js'
import { type BoundAtPrices, boundAt, boundBetween } from './bound/upperBound.js'
import { priceOutside, priceUnusedTokens } from './dual/clearingPrice.js'
import { minimiseDual } from './dual/newton.js'
import type { Problem } from './network/problem.js'
import {
  better,
  isProvenWithin,
  type Realised,
  realise,
  realisePath,
  refineRealised,
} from './primal/realise.js'
import type { Relaxed } from './search/bestSplit.js'
import { prune } from './search/prune.js'
import type { SolveInput } from './terms.js'
import { MAX_EDGES, MAX_GROWTHS, OPTIMALITY_GAP } from './tuning.js'

/**
 * The answer with the lowest bound found; `known` are bounds found before. Where it does not prove the answer, a
 * tighter one is searched as the options say.
 */
export function proveAnswer(
  relaxed: Relaxed,
  found: Realised,
  known: readonly BoundAtPrices[],
  request: SolveInput,
): { readonly answer: Realised; readonly bound: BoundAtPrices } {
  const { problem, relaxation, bound } = relaxed
  const isLarge = relaxation.edges.length > MAX_EDGES
  const isFast = isLarge || request.certificate === 'fast' || request.shouldStop()
  const bounds = [...known]
  const lowest = () => bounds.reduce((a, b) => (b.amount < a.amount ? b : a))
  let best = found
  const isProved = () => isProvenWithin(OPTIMALITY_GAP, lowest(), best)
  for (let growths = 0; ; growths++) {
    const atAnswer = boundAtAnswer(relaxed, best)
    bounds.push(atAnswer)
    // If gas matters, the prices of the answer give the lowest bound, otherwise those of the minimum.
    // Often prices between the two are better still.
    if (request.terms.gasCost > 0 && problem.outside.length === 0)
      bounds.push(boundBetween(relaxation, bound, atAnswer))
    if (isFast || isProved()) break
    const used = new Set(best.edges)
    const tightened = boundWithOpen(relaxation, atAnswer, used)
    bounds.push(tightened.bound)
    const grown = growths < MAX_GROWTHS && growByPath(problem, best, tightened.path, request)
    if (grown && grown.net > best.net) {
      best = grown
      continue
    }
    break
  }
  return { bound: lowest(), answer: refineRealised(best, request) }
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

/**
 * The better of a path, in graph numbers, and the split over its edges and the answer's; `undefined` if
 * neither is executable.
 */
export function growByPath(
  problem: Problem,
  answer: Realised,
  path: Int32Array,
  request: SolveInput,
): Realised | undefined {
  const added = localEdges(problem, path)
  if (added.includes(-1) || path.length > request.terms.maxHops) return undefined
  const together = new Set([...localEdges(problem, answer.edges), ...added])
  const { edges } = prune(problem, Int32Array.from(together).sort(), request.terms)
  return better(realise(problem, edges, request), realisePath(problem, added, request))
}
