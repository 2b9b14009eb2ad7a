/**
 * The best split by primal heuristics. Input: a problem with the optimal prices of its dual, and the
 * best single path. Output: the best executable split found. One loop: each seed is a support, which
 * is improved by a local search and realised in integers.
 */
import type { Order } from '../../order.js'
import { ROUTER_GAS } from '../../replay.js'
import type { Problem } from '../network/problem.js'
import { uncutAll } from '../network/tickCuts.js'
import type { Options } from '../options.js'
import { type Candidate, realise } from '../primal/realise.js'
import type { Terms } from '../terms.js'
import { bestPaths, MAX_HOPS } from './bestPaths.js'
import { better, setPathPrices } from './candidate.js'
import { type Columns, searchColumns } from './cutAtTicks.js'
import { searchLocally } from './localSearch.js'
import { type Charges, LEG_GAS, prune, type Selection } from './prune.js'

// If at most this many legs are allowed, splits are also grown from paths.
const FEW_LEGS = 16
// Parts of the order whose columns are found one after the other, each from those of the part before.
const PARTS = [1 / 8, 1 / 4, 1 / 2]

/** A problem at the minimum of its dual over all edges. */
export type Relaxed = {
  readonly problem: Problem
  /** The prices at that minimum; later stages change those in the problem. */
  readonly prices: Float64Array
}

/** An edge set to start from, or the result of a search from there, with its value. */
type Support = Selection & { readonly cuts?: Columns['cuts'] }

/**
 * The best split found. Where the dual's support fits the cap on gas, edges are added and dropped.
 * Where it does not, columns are, because a pool cut at a tick costs less gas.
 */
export function bestSplit(
  relaxed: Relaxed,
  path: Candidate | undefined,
  order: Order,
  terms: Terms,
  options: Options,
): Candidate | undefined {
  const { problem, prices } = relaxed
  const fixed = terms.gasCost * ROUTER_GAS
  const charges = {
    gasCost: terms.gasCost,
    maxLegs: terms.maxLegs,
    maxGas: terms.maxGas - ROUTER_GAS,
    maxHops: options.maxHops ?? Number.POSITIVE_INFINITY,
    floor: path ? path.realised.net + fixed : 0,
  }
  const first = prune(problem, problem.all, charges)
  const explored = new Set<string>()
  const improve = (seed: Support): Support | undefined => {
    if (options.shouldStop?.()) return seed
    if (!first.isGasBound) return searchLocally(problem, prices, seed, charges)
    problem.u.set(prices)
    return searchColumns(problem, prices, seed, charges, explored)
  }
  let best: Candidate | undefined
  for (const seed of seedsOf(relaxed, first, terms, charges, options)) {
    const support = improve(seed)
    if (support && !(best && best.realised.net >= support.value - fixed)) {
      best = better(realise(problem, support.edges, order, terms), best)
    }
    if (options.shouldStop?.()) break
  }
  uncutAll(problem)
  return best
}

/**
 * Supports to start from: the dual's, pruned; columns for a part of the order if gas is scarce; and if
 * gas or legs are few, single paths, because pruning a wide split seldom gives the best narrow one.
 */
function* seedsOf(
  relaxed: Relaxed,
  first: Selection,
  terms: Terms,
  charges: Charges,
  options: Options,
): Generator<Support> {
  const { problem, prices } = relaxed
  const { maxLegs, maxGas, maxHops } = charges
  yield first
  if (first.isGasBound) yield* columnsOfParts(relaxed, charges, options)
  else if (maxLegs > FEW_LEGS && maxGas > FEW_LEGS * LEG_GAS) return
  uncutAll(problem)
  problem.u.set(prices)
  const grown = new Set<number>()
  for (const { edges, net } of bestPaths(problem, Math.min(maxHops, MAX_HOPS, maxLegs), terms)) {
    if (!first.isGasBound && grown.has(edges.length)) continue
    grown.add(edges.length)
    setPathPrices(problem, edges)
    yield { edges, value: net }
  }
}

/**
 * Columns for a half of the order, found by continuation in the amount: where the whole order drains
 * its pools, they are a better start than any for the whole.
 */
function* columnsOfParts(
  { problem, prices }: Relaxed,
  charges: Charges,
  { shouldStop }: Options,
): Generator<Support> {
  let columns: Support | undefined
  for (const part of PARTS) {
    if (shouldStop?.()) break
    const less = { ...problem, amount: problem.amount * part }
    uncutAll(less)
    problem.u.set(prices)
    const start = columns ?? prune(less, less.all, charges)
    columns = searchColumns(less, prices, start, charges, new Set()) ?? columns
  }
  if (columns) yield columns
}
