/**
 * The certificate of an answer. Input: the search, the answer and the bounds before. Output: the
 * answer with the lowest bound found, among prices of the dual, of the answer, of the best path, and
 * on the line between the first two, or a tighter one. If that finds a better path, the answer is grown by it:
 * the bound knows paths longer than the searches try.
 */
import type { Bound } from '../certificate/bound.js'
import { outOf, priceOf } from '../math/pieces.js'
import { tighten } from './bound/tighten.js'
import { boundBetween, certify } from './bound/upperBound.js'
import { solveArbitrage } from './dual/arbitrage.js'
import { priceUnusedTokens } from './dual/clearingPrice.js'
import { minimiseDual } from './dual/newton.js'
import { priceOutside } from './dual/outside.js'
import type { Problem } from './network/problem.js'
import {
  better,
  type Candidate,
  type Realised,
  realise,
  realisePath,
  refineRealised,
} from './primal/realise.js'
import type { Relaxed } from './search/bestSplit.js'
import { prune } from './search/prune.js'
import type { Request } from './terms.js'
import { LEAST_GAIN, MAX_GROWTHS } from './tuning.js'

/**
 * The answer with its certificate; `known` are bounds found before. Where the bound does not prove it, a
 * tighter one is searched as the options say.
 */
export function proveAnswer(
  relaxed: Relaxed,
  found: Candidate,
  known: readonly Bound[],
  request: Request,
): Realised & { readonly bound: Bound } {
  const { problem, prices } = relaxed
  let best = found
  let answer = refineRealised(best.realised, request)
  let atAnswer = boundAtAnswer(relaxed, best, request)
  const bounds = [...known, atAnswer]
  // If gas matters, the prices of the answer give the lowest bound, otherwise those of the minimum.
  // Often prices between the two are better still.
  const addBetween = () => {
    if (request.terms.gasCost === 0 || problem.outside.length > 0) return
    bounds.push(boundBetween(problem, [prices, problem.u.slice()], request))
  }
  addBetween()
  const lowest = () => bounds.reduce((a, b) => (b.amount < a.amount ? b : a))
  if (request.certificate === 'fast' || request.shouldStop()) return { bound: lowest(), ...answer }
  const tightened = (isDeep: boolean) => {
    const ask = { net: answer.net, used: new Set(best.edges), prices: atAnswer.prices, isDeep }
    return tighten(lowest(), ask, request)
  }
  for (let n = 0; n < MAX_GROWTHS; n++) {
    const { bound, path } = tightened(false)
    bounds.push(bound)
    const grown = path && growByPath(problem, best, path, request)
    const next = grown && refineRealised(grown.realised, request)
    if (!next || !(next.net > answer.net + LEAST_GAIN * Math.abs(answer.net))) break
    best = grown
    answer = next
    atAnswer = boundAtAnswer(relaxed, best, request)
    bounds.push(atAnswer)
    addBetween()
  }
  return { bound: request.certificate === 'paths' ? lowest() : tightened(true).bound, ...answer }
}

/**
 * The bound at the prices of an answer: those at the minimum of the dual over its edges, and clearing prices
 * for the tokens that it does not pass. Leaves the problem at these prices.
 */
export function boundAtAnswer(
  { problem, prices }: Omit<Relaxed, 'bound'>,
  answer: Candidate,
  request: Request,
): Bound {
  const { u, from, to, source, sink } = problem
  const used = localEdges(problem, answer.edges)
  if (answer.isPath) setPathPrices(problem, used)
  else minimiseDual(problem, used)
  const isUsed = new Uint8Array(u.length)
  isUsed[source] = isUsed[sink] = 1
  for (const i of used) isUsed[from[i]!] = isUsed[to[i]!] = 1
  priceUnusedTokens(problem, isUsed, prices)
  solveArbitrage(problem, problem.all)
  return certify(problem, priceOutside(problem, request), request)
}

/** Sets the prices of a path's tokens by the marginal rates after the whole amount has passed. */
export function setPathPrices({ u, from, to, pieces, amount }: Problem, path: Int32Array): void {
  let x = amount
  const rates = Array.from(path, (i) => {
    const rate = priceOf(pieces[i]!, x)
    x = outOf(pieces[i]!, x)
    return rate
  })
  for (let hop = path.length - 1; hop >= 0; hop--) {
    u[from[path[hop]!]!] = u[to[path[hop]!]!]! + Math.log(rates[hop]!)
  }
}

/** Local numbers of edges given by graph number. */
export function localEdges({ edges }: Problem, graphEdges: Int32Array): Int32Array {
  return graphEdges.map((e) => edges.indexOf(e))
}

/**
 * The better of a path, in graph numbers, and the split over its edges and the answer's; `undefined` if
 * neither is executable.
 */
export function growByPath(
  problem: Problem,
  answer: Candidate,
  path: Int32Array,
  request: Request,
): Candidate | undefined {
  const added = localEdges(problem, path)
  if (added.includes(-1) || path.length > request.terms.maxHops) return undefined
  const single = realisePath(problem, added, request)
  const used = localEdges(problem, answer.edges)
  const together = Int32Array.from(new Set([...used, ...added])).sort()
  if (together.length === added.length) return single
  const { edges } = prune(problem, together, request.terms)
  return better(realise(problem, edges, request), single)
}
