import type { Order } from '../order.js'
import { ROUTER_GAS } from '../route.js'
import { minimise } from './dual.js'
import { exchange } from './exchange.js'
import { fill } from './fill.js'
import { better, type Found, localEdges, setPathPrices } from './found.js'
import type { Options } from './options.js'
import { bestPaths, MAX_HOPS, type Path } from './paths.js'
import type { Problem } from './problem.js'
import { settle, settleFlow } from './settle.js'
import { type Charges, LEG_GAS, type Selection, sparsify } from './sparsify.js'
import { gasAt, gasOfPath } from './support.js'
import type { Terms } from './terms.js'

// Where this few legs are allowed, splits are grown from paths and from chunks too.
const FEW_LEGS = 16
const TOLERANCE = 1e-7

/**
 * The best split found by thinning all edges at the prices that fit them together, by growing paths,
 * and, where few legs are allowed or some of the amount has nowhere to go, by filling pools chunk by
 * chunk.
 */
export function bestSplit(
  { problem, prices }: { readonly problem: Problem; readonly prices: Float64Array },
  path: Found | undefined,
  order: Order,
  terms: Terms,
  options: Options,
): Found | undefined {
  const charges = {
    gasCost: terms.gasCost,
    maxLegs: terms.maxLegs,
    maxGas: terms.maxGas - ROUTER_GAS,
    maxHops: options.maxHops ?? Number.POSITIVE_INFINITY,
    floor: path ? path.settled.net + terms.gasCost * ROUTER_GAS : 0,
  }
  const settled = (edges: Int32Array): (Found & { readonly isShort: boolean }) | undefined => {
    const found = settle(problem, edges, order, terms, path && localEdges(problem, path.edges))
    if (!found) return undefined
    const { edges: left, isShort, ...route } = found
    return { settled: route, edges: left.map((i) => problem.edges[i]!), isShort }
  }
  const first = sparsify(problem, problem.all, charges)
  if (options.shouldStop?.()) return settled(first.edges)
  const thinned = settled(exchange(problem, prices, first, charges).edges)
  let best: Found | undefined = thinned
  for (const start of startsOf(problem, { path, best }, terms, charges)) {
    if (options.shouldStop?.()) break
    setPathPrices(problem, start.edges)
    const grown = exchange(problem, prices, start, charges)
    const net = grown.value - terms.gasCost * ROUTER_GAS
    if (grown.edges !== start.edges && !(best && best.settled.net >= net)) {
      best = better(settled(grown.edges), best)
    }
  }
  const isSure = thinned && !thinned.isShort && charges.maxLegs > FEW_LEGS
  const flow = isSure ? undefined : fill(problem, options.maxHops ?? MAX_HOPS, terms)
  const direct = flow && settleFlow(flow, order, terms)
  if (!flow || !direct) return best
  const edges = Int32Array.from(flow.keys(), (edge) => problem.graph.edges.indexOf(edge))
  best = better({ settled: direct, edges }, best)
  const local = localEdges(problem, edges)
  best = better(settled(local), best)
  const grown = exchange(problem, prices, valued(problem, local, { prices, charges }), charges)
  return grown.edges === local ? best : better(settled(grown.edges), best)
}

/** Edges with what they are worth at the dual's minimum over them, where it leaves the problem. */
function valued(
  problem: Problem,
  edges: Int32Array,
  { prices, charges }: { readonly prices: Float64Array; readonly charges: Charges },
): Selection {
  problem.u.set(prices)
  const { bound } = minimise(problem, edges, TOLERANCE)
  const gas = edges.reduce((sum, i) => sum + gasAt(problem, i), 0)
  return { edges, value: bound - charges.gasCost * gas }
}

/**
 * Paths to grow a split from: where few legs are allowed the best of each number of hops, for what
 * thinning leaves of a wide split is rarely the best narrow one; else the best of all, where thinning
 * brought nothing better.
 */
function startsOf(
  problem: Problem,
  { path, best }: { readonly path: Found | undefined; readonly best: Found | undefined },
  terms: Terms,
  { maxLegs, maxGas, maxHops }: Charges,
): readonly Selection[] {
  if (maxLegs <= FEW_LEGS || maxGas <= FEW_LEGS * LEG_GAS) {
    const paths = bestPaths(problem, Math.min(maxHops, MAX_HOPS, maxLegs), terms)
    const isFirst = ({ edges }: Path, n: number) =>
      paths.findIndex((other) => other.edges.length === edges.length) === n
    return paths.filter(isFirst).map(({ edges, net }) => ({ edges, value: net }))
  }
  if (!path || (best && best.settled.net > path.settled.net)) return []
  const edges = localEdges(problem, path.edges)
  const gas = gasOfPath(problem, edges)
  return [{ edges, value: Number(path.settled.estimate) - terms.gasCost * gas }]
}
