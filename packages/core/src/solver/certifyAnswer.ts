/**
 * The certificate of an answer. Input: the search, the answer and the bounds before. Output: the
 * answer with the lowest bound found, among prices of the dual, of the answer, of the best path, and
 * on the line between the first two, or a tighter one. If that finds a better path, the answer is grown by it.
 */

import type { Bound } from '../certificate/bound.js'
import {
  type BoundAt,
  boundAtPrices,
  boundBetween,
  certify,
  type Priced,
} from './bound/certificate.js'
import { tighten } from './bound/tighten.js'
import { solveArbitrage } from './dual/arbitrage.js'
import { priceUnusedTokens } from './dual/clearingPrice.js'
import { priceOutside } from './dual/outside.js'
import type { StartPrices } from './options.js'
import { type Candidate, type Realised, refineRealised } from './primal/realise.js'
import { localEdges, setPathPrices } from './search/candidate.js'
import { growByPath } from './search/growByPath.js'
import type { Request } from './terms.js'
import { LEAST_GAIN, MAX_GROWTHS } from './tuning.js'

/** A problem at the minimum of its dual over all edges, and its outside. */
export type Search = Priced & {
  /** The prices at that minimum; later stages change those in the problem. */
  readonly prices: Float64Array
}

/**
 * The answer with its certificate; `known` are bounds found before. Where the bound does not prove it, a
 * tighter one is searched as the options say.
 */
export function proveAnswer(
  search: Search,
  found: Candidate,
  known: readonly BoundAt[],
  request: Request,
): Realised & { readonly bound: Bound } {
  let best = found
  let { bound, prices } = certifyAnswer(search, best, known, request)
  let answer = refineRealised(best.realised, request)
  if (request.certificate === 'fast' || request.shouldStop()) return { bound, ...answer }
  const tightened = (isDeep: boolean) =>
    tighten(bound, { net: answer.net, used: new Set(best.edges), prices, isDeep }, request)
  for (let n = 0; n < MAX_GROWTHS; n++) {
    const { bound: tighter, path } = tightened(false)
    bound = tighter
    const grown = path && growByPath(search.problem, best, path, request)
    const next = grown && refineRealised(grown.realised, request)
    if (!next || !(next.net > answer.net + LEAST_GAIN * Math.abs(answer.net))) break
    best = grown
    answer = next
    const again = certifyAnswer(search, best, known, request)
    prices = again.prices
    if (again.bound.amount < bound.amount) bound = again.bound
  }
  return { bound: request.certificate === 'paths' ? bound : tightened(true).bound, ...answer }
}

/** The certificate of an answer at the best prices known, and the prices at the answer's flows. */
function certifyAnswer(
  search: Search,
  best: Candidate,
  known: readonly BoundAt[],
  request: Request,
): { readonly bound: Bound; readonly prices: StartPrices } {
  const { terms } = request
  const used = localEdges(search.problem, best.edges)
  if (best.prices) search.problem.u.set(best.prices)
  else setPathPrices(search.problem, used)
  const answered = priceAllAt(search, used, request)
  // If gas matters, the prices of the answer give the lowest bound, otherwise those of the minimum.
  // Often prices between the two are better still.
  const atAnswer = boundAtPrices(answered, terms)
  const bounds = [...known, atAnswer]
  if (terms.gasCost > 0 && search.problem.outside.length === 0) {
    bounds.push(boundBetween(answered, [search.prices, answered.problem.u], terms))
  }
  const lowest = bounds.reduce((a, b) => (b.amount < a.amount ? b : a))
  return { bound: certify(lowest, request), prices: certify(atAnswer, request).prices }
}

/** The search at the prices of the used edges: all other tokens priced, and all edges evaluated. */
export function priceAllAt(
  { problem, prices }: Omit<Search, 'rest'>,
  used: Int32Array,
  request: Request,
): Search {
  const isUsed = new Uint8Array(problem.u.length)
  isUsed[problem.source] = 1
  isUsed[problem.sink] = 1
  for (const i of used) {
    isUsed[problem.from[i]!] = 1
    isUsed[problem.to[i]!] = 1
  }
  priceUnusedTokens(problem, isUsed, prices)
  solveArbitrage(problem, problem.all)
  return { problem, prices, rest: priceOutside(problem, request) }
}
