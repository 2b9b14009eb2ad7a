/**
 * The solver: dual decomposition, primal heuristics and a certificate. Input: graph, order,
 * options. Output: the best route found, exact in integers, with an upper bound on any route. It
 * relaxes to the convex dual, looks for executable routes near its minimum, and bounds the gap.
 */
import type { Graph } from '../graph.js'
import type { Order } from '../order.js'
import { type BoundAt, boundAtPrices, certify, pricesOf, type Scope } from './bound/certificate.js'
import type { Bound } from './bound/upperBound.js'
import { priceAllAt, proveAnswer, type Search } from './certifyAnswer.js'
import { solveArbitrage } from './dual/arbitrage.js'
import { setStartPrices } from './dual/initialPrices.js'
import { minimiseDual } from './dual/newton.js'
import { priceOutside } from './dual/outside.js'
import type { Problem } from './network/problem.js'
import { type StartPrices, selectNetwork, selectProblem } from './network/subgraph.js'
import type { Options } from './options.js'
import { type Candidate, type Realised, realisePath } from './primal/realise.js'
import { type Reference, referenceOf, setAsideOf } from './reference/referencePrices.js'
import { bestPaths, MAX_HOPS } from './search/bestPaths.js'
import { bestSplit } from './search/bestSplit.js'
import { better, localEdges, setPathPrices } from './search/candidate.js'
import { bestExactPath, type PathTerms, shortestExactPath } from './search/exactPath.js'
import { capAtHullCorner } from './search/hullCorners.js'
import { type Terms, termsOf } from './terms.js'

const TOLERANCE = 1e-8
// An answer within this fraction of the bound, 1/200 of a basis point, counts as proven optimal.
const OPTIMALITY_GAP = 5e-7
const MAX_PRICE_OUTS = 2
const MAX_HULL_CAPS = 3

/** A route with its worth, its bound, and prices to start the next search from. */
export type Solution = Realised & {
  /** Absent only if the search was stopped before it had prices. */
  readonly bound?: Bound
  readonly prices: StartPrices
}

/**
 * The best route found for an order between two ERC-20 tokens, with a certificate of how close it
 * is to the optimum; `undefined` if no route is found that can take the whole amount. Never worse
 * than the best single path found. See docs/solver.md for the method.
 */
export function solve(graph: Graph, order: Order, options: Options = {}): Solution | undefined {
  const reference = referenceOf(graph)
  const terms = termsOf(graph, reference, order, options)
  const begun = beginWithPath(graph, reference, order, terms, options)
  if (!begun) return undefined
  const { problem, path } = begun
  const { isCramped } = problem
  problem.outputEstimate = Number(path?.realised.amountOut ?? 0n)
  if (options.shouldStop?.()) return path && { ...path.realised, prices: {} }
  const scope = scopeOf(graph, reference, options)
  const isWhole = problem.outside.length === 0
  const atPath = path && isWhole ? boundAtPath(problem, path, terms, scope, reference) : undefined
  if (path && atPath && isProvenOptimal(atPath, path)) {
    const bound = certify(atPath, terms, scope)
    return { ...path.realised, bound, prices: pricesOf(problem, atPath.u) }
  }
  const search = findPrices(problem, reference, order, options)
  const atMinimum = boundAtPrices(search, terms)
  const prices = pricesOf(search.problem)
  if (options.shouldStop?.()) {
    return path && { ...path.realised, bound: certify(atMinimum, terms, scope), prices }
  }
  const first = better(bestSplit(search, path, order, terms, options), path)
  if (!first) return undefined
  const split = bestWithHullCaps(search, { first, path }, order, terms, options)
  const isOpen = isCramped && !isProvenOptimal(atMinimum, split)
  const single = isOpen ? betterPath(search, split, order, terms, options) : undefined
  const best = single ?? split
  const known = { reference, scope, atMinimum, ...(atPath && { atPath }) }
  const isSplit = best !== path && best !== single
  const proved = proveAnswer(search, { best, isSplit }, known, order, terms, options)
  return { ...proved, prices }
}

function scopeOf(graph: Graph, reference: Reference, options: Options): Scope {
  return {
    setAside: setAsideOf(graph, reference),
    excluded: [...(options.excludedPools ?? [])],
  }
}

/**
 * The best route, also trying stops at hull corners: while the latest route uses a pool that pays
 * less than its hull, the pool is cut at the corner before and the split is searched again.
 */
function bestWithHullCaps(
  search: Search,
  { first, path }: { readonly first: Candidate; readonly path: Candidate | undefined },
  order: Order,
  terms: Terms,
  options: Options,
): Candidate {
  const { problem } = search
  const restore: (() => void)[] = []
  let best = first
  let latest: Candidate | undefined = first
  while (latest && restore.length < MAX_HULL_CAPS) {
    const putBack = capAtHullCorner(problem, latest.edges, latest.realised.route)
    if (!putBack) break
    restore.unshift(putBack)
    if (options.shouldStop?.()) break
    problem.u.set(search.prices)
    minimiseDual(problem, problem.all, TOLERANCE)
    const prices = problem.u.slice()
    latest = bestSplit({ ...search, prices }, path, order, terms, options)
    best = better(latest, best) ?? best
  }
  for (const putBack of restore) putBack()
  return best
}

/**
 * The bound at the prices of the best path, which may prove it optimal if gas dominates. Keeps `u`.
 */
function boundAtPath(
  problem: Problem,
  path: Candidate,
  terms: Terms,
  scope: Scope,
  reference: Reference,
): BoundAt {
  const prices = problem.u.slice()
  const used = localEdges(problem, path.edges)
  setPathPrices(problem, used)
  const bound = boundAtPrices(priceAllAt({ problem, prices }, used, reference, scope), terms)
  problem.u.set(prices)
  return bound
}

/** Whether the bound proves that no route is better by more than {@link OPTIMALITY_GAP}. */
function isProvenOptimal({ amount }: BoundAt, { realised }: Candidate): boolean {
  return Number(amount) - realised.net <= OPTIMALITY_GAP * realised.net
}

function buildProblem(
  graph: Graph,
  reference: Reference,
  order: Order,
  options: Options,
  taken: {
    readonly grown?: { readonly before: Problem; readonly by: readonly number[] }
    readonly through?: readonly number[]
  } = {},
): Problem | undefined {
  const { excludedPools } = options
  const problem = selectProblem(graph, reference, order, { excludedPools, ...taken })
  const isConnected = problem && setStartPrices(problem, reference, options.start)
  return isConnected ? problem : undefined
}

/**
 * The problem and the best single path for the whole amount, if there is one. If the
 * label-correcting search finds none, branch and bound searches all tokens that routes can pass,
 * and the problem is extended by the tokens of the path found.
 */
function beginWithPath(
  graph: Graph,
  reference: Reference,
  order: Order,
  terms: Terms,
  options: Options,
): { readonly problem: Problem; readonly path: Candidate | undefined } | undefined {
  const problem = buildProblem(graph, reference, order, options)
  const path = problem && bestPath(problem, order, terms, options)
  if (path) return { problem, path }
  const network = selectNetwork(graph, reference, order, options.excludedPools)
  const hidden = network && shortestExactPath(network, order, pathTerms(terms, options))
  if (!hidden) return problem && { problem, path }
  const through = [...hidden.edges].map((e) => graph.to[e]!)
  const isWithin = problem && through.every((k) => problem.tokens.includes(k))
  const grown = isWithin ? problem : buildProblem(graph, reference, order, options, { through })
  return grown && { problem: grown, path: hidden }
}

// A path whose net is higher by a smaller fraction is the same path in other floats.
const LEAST_GAIN = 1e-9
// Hops to try to find any path, and to find a better path than the answer.
const [TRIES_TO_FIND, TRIES_TO_IMPROVE] = [100_000, 600]
const MOST_HOPS = 24

function pathTerms(terms: Terms, { maxHops = MOST_HOPS }: Options): PathTerms {
  const hops = Math.min(maxHops, terms.maxLegs, MOST_HOPS)
  return { ...terms, maxHops: hops, floor: Number.NEGATIVE_INFINITY, tries: TRIES_TO_FIND }
}

/** A single path with a higher net output than the answer, found by branch and bound. */
function betterPath(
  { problem, prices }: Search,
  { realised }: Candidate,
  order: Order,
  terms: Terms,
  { maxHops = MAX_HOPS }: Options,
): Candidate | undefined {
  const u = problem.u.slice()
  problem.u.set(prices)
  solveArbitrage(problem, problem.all)
  const found = bestExactPath(problem, order, {
    ...{ ...terms, maxHops: Math.min(maxHops, terms.maxLegs), tries: TRIES_TO_IMPROVE },
    ...{ floor: realised.net + LEAST_GAIN * Math.abs(realised.net), dual: problem },
  })
  problem.u.set(u)
  return found
}

/** The path with the highest net that can be executed; the paths are searched in full if need be. */
function bestPath(problem: Problem, order: Order, terms: Terms, options: Options) {
  const maxHops = Math.min(options.maxHops ?? MAX_HOPS, terms.maxLegs)
  const firstExecutable = (wanted?: number): Candidate | undefined => {
    for (const { edges } of bestPaths(problem, maxHops, terms, wanted)) {
      const found = realisePath(problem, edges, order, terms)
      if (found) return found
    }
    return undefined
  }
  return firstExecutable(1) ?? firstExecutable()
}

/** Column generation: solves the dual, prices the outside tokens and adds the promising ones. */
function findPrices(first: Problem, reference: Reference, order: Order, options: Options): Search {
  let problem = first
  for (let round = 0; ; round++) {
    minimiseDual(problem, problem.all, TOLERANCE)
    const rest = priceOutside(problem, reference, options.excludedPools)
    if (round === MAX_PRICE_OUTS || rest.promising.length === 0)
      return { problem, rest, prices: problem.u.slice() }
    const start = pricesOf(problem)
    const { graph, outputEstimate } = problem
    const grown = { before: problem, by: rest.promising }
    problem = buildProblem(graph, reference, order, { ...options, start }, { grown }) ?? problem
    problem.outputEstimate = outputEstimate
  }
}
