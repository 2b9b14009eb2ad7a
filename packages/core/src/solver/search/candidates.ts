/**
 * Candidate splits. Input: a problem with the optimal prices of its dual, and the best single path.
 * Output: the best executable split found. It runs each primal heuristic and compares exact
 * results.
 */
import type { Order } from '../../order.js'
import { ROUTER_GAS } from '../../replay.js'
import { minimiseDual } from '../dual/newton.js'
import { gasAt, gasOfPath } from '../network/gas.js'
import type { Problem } from '../network/problem.js'
import { uncutAll } from '../network/tickCuts.js'
import type { Options } from '../options.js'
import { realise, realiseFlow } from '../primal/realise.js'
import type { Terms } from '../terms.js'
import { bestPaths, MAX_HOPS, type Path } from './bestPaths.js'
import { better, type Candidate, localEdges, setPathPrices } from './candidate.js'
import { type Columns, searchColumns } from './cutAtTicks.js'
import { splitGreedily } from './greedySplit.js'
import { searchLocally } from './localSearch.js'
import { type Charges, LEG_GAS, prune, type Selection } from './prune.js'

// If at most this many legs are allowed, splits are also grown from paths and from chunks.
const FEW_LEGS = 16
const TOLERANCE = 1e-7

/**
 * The best split found: by pruning all edges from their optimal prices, by growing single paths,
 * and by a greedy split in chunks. The last is used if few legs are allowed, or if the pruned split
 * returns less than its edges promise.
 */
export function bestSplit(
  { problem, prices }: { readonly problem: Problem; readonly prices: Float64Array },
  path: Candidate | undefined,
  order: Order,
  terms: Terms,
  options: Options,
): Candidate | undefined {
  const charges = {
    gasCost: terms.gasCost,
    maxLegs: terms.maxLegs,
    maxGas: terms.maxGas - ROUTER_GAS,
    maxHops: options.maxHops ?? Number.POSITIVE_INFINITY,
    floor: path ? path.realised.net + terms.gasCost * ROUTER_GAS : 0,
  }
  const settled = (edges: Int32Array): (Candidate & { readonly isShort: boolean }) | undefined => {
    const found = realise(problem, edges, order, terms, path && localEdges(problem, path.edges))
    if (!found) return undefined
    const { edges: left, isUnderfilled, ...route } = found
    return { realised: route, edges: left.map((i) => problem.edges[i]!), isShort: isUnderfilled }
  }
  const first = prune(problem, problem.all, charges)
  if (options.shouldStop?.()) return settled(first.edges)
  if (first.isGasBound) {
    let best: Candidate | undefined
    const maxHops = Math.min(charges.maxHops, MAX_HOPS, charges.maxLegs)
    const paths = bestPaths(problem, maxHops, terms)
    const explored = new Set<string>()
    const less = columnsOfLess({ problem, prices }, charges, options)
    for (const start of [first, ...less, ...paths]) {
      if (options.shouldStop?.()) break
      problem.u.set(prices)
      const columns = searchColumns(problem, prices, start, charges, explored)
      if (columns) best = better(settled(columns.edges), best)
    }
    uncutAll(problem)
    return best
  }
  const thinned = settled(searchLocally(problem, prices, first, charges).edges)
  let best: Candidate | undefined = thinned
  for (const start of startsOf(problem, { path, best }, terms, charges)) {
    if (options.shouldStop?.()) break
    setPathPrices(problem, start.edges)
    const grown = searchLocally(problem, prices, start, charges)
    const net = grown.value - terms.gasCost * ROUTER_GAS
    if (grown.edges !== start.edges && !(best && best.realised.net >= net)) {
      best = better(settled(grown.edges), best)
    }
  }
  const isSure = thinned && !thinned.isShort && charges.maxLegs > FEW_LEGS
  const flow = isSure ? undefined : splitGreedily(problem, options.maxHops ?? MAX_HOPS, terms)
  const direct = flow && realiseFlow(problem, flow, order, terms)
  if (!flow || !direct) return best
  const local = flow.edges
  best = better({ realised: direct, edges: local.map((i) => problem.edges[i]!) }, best)
  best = better(settled(local), best)
  const grown = searchLocally(problem, prices, valued(problem, local, { prices, charges }), charges)
  return grown.edges === local ? best : better(settled(grown.edges), best)
}

// Parts of the order whose columns are found one after the other, each from those of the part before.
const PARTS = [1 / 8, 1 / 4, 1 / 2]

/**
 * Columns for a half of the order, found by continuation in the amount: where the whole order drains
 * its pools, they are a better start than any for the whole.
 */
function columnsOfLess(
  { problem, prices }: { readonly problem: Problem; readonly prices: Float64Array },
  charges: Charges,
  { shouldStop }: Options,
): readonly Columns[] {
  let columns: Columns | undefined
  for (const part of PARTS) {
    if (shouldStop?.()) break
    const less = { ...problem, amount: problem.amount * part }
    uncutAll(less)
    problem.u.set(prices)
    const start = columns ?? prune(less, less.all, charges)
    columns = searchColumns(less, prices, start, charges, new Set()) ?? columns
  }
  return columns ? [columns] : []
}

/** Edges with their value at the minimum of the dual over them. Leaves the problem there. */
function valued(
  problem: Problem,
  edges: Int32Array,
  { prices, charges }: { readonly prices: Float64Array; readonly charges: Charges },
): Selection {
  problem.u.set(prices)
  const { bound } = minimiseDual(problem, edges, TOLERANCE)
  const gas = edges.reduce((sum, i) => sum + gasAt(problem, i), 0)
  return { edges, value: bound - charges.gasCost * gas }
}

/**
 * Paths to grow a split from. If few legs are allowed, the best path of each number of hops,
 * because pruning a wide split rarely gives the best narrow one. Otherwise the best path, unless
 * the pruned split is better.
 */
function startsOf(
  problem: Problem,
  { path, best }: { readonly path: Candidate | undefined; readonly best: Candidate | undefined },
  terms: Terms,
  { maxLegs, maxGas, maxHops }: Charges,
): readonly Selection[] {
  if (maxLegs <= FEW_LEGS || maxGas <= FEW_LEGS * LEG_GAS) {
    const paths = bestPaths(problem, Math.min(maxHops, MAX_HOPS, maxLegs), terms)
    const isFirst = ({ edges }: Path, n: number) =>
      paths.findIndex((other) => other.edges.length === edges.length) === n
    return paths.filter(isFirst).map(({ edges, net }) => ({ edges, value: net }))
  }
  if (!path || (best && best.realised.net > path.realised.net)) return []
  const edges = localEdges(problem, path.edges)
  const gas = gasOfPath(problem, edges)
  return [{ edges, value: Number(path.realised.estimate) - terms.gasCost * gas }]
}
