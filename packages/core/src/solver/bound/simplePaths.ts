/**
 * The bound over simple paths. Input: all that an order's routes can pass (the subgraph of the
 * search leaves edges out, which a bound may not), prices, and the edges in use. Output: a bound on every route
 * that does not count money earned around cycles.
 *
 * At prices ν an edge pays at most α + β·x for an input of x, where β is the smaller of ν_a/ν_b and
 * its first price. Pools that disagree form a cycle of edges with α > 0 at any prices, which no acyclic
 * route can use as a whole. Such an edge is left open: β is its first price and α = 0, so it earns by
 * its rate instead. An acyclic route splits into simple paths, so it is worth at most
 *
 *   max over simple paths P of (A·Π_P β − Σ_P w⁻) + Σ over the L best of w⁺,   w = α·V_b − λ·gas
 *
 * where V_b is the most that a simple path makes of one unit of b.
 */
import { ROUTER_GAS } from '../../replay.js'
import { type Point, tradesAt } from '../dual/bestTrades.js'
import type { Relaxation } from '../network/relaxation.js'
import { MOST_HOPS_TRIED } from '../tuning.js'
import type { Sum } from './upperBound.js'

/** By token, the edges that leave it: what they make of a value, and their cost. */
type Steps = readonly (readonly Step[])[]
type Step = {
  readonly edge: number
  readonly to: number
  readonly factor: number
  readonly cost: number
}

/** What a path makes of a value less its costs, and its edges. */
type BestPath = { readonly worth: number; readonly path: readonly number[] }

/** The bound with the given open edges; `undefined` if the best path takes too long to find. */
export function boundOverPaths(
  relaxation: Relaxation,
  point: Point,
  isOpen: Uint8Array,
): (Sum & { readonly path: readonly number[] }) | undefined {
  const { amount, source, sink, legs, tokens, terms } = relaxation
  const { u, gasMultiplier } = point
  const ν = u.map(Math.exp)
  const hops = Math.min(legs, tokens.length - 1)
  const most = searchPaths(stepsOf(relaxation, ν, isOpen), sink, hops)
  const rises = new Map<number, number>()
  const riseOf = (token: number) => {
    const rise = rises.get(token) ?? Math.max(0, most(token, 1).worth)
    rises.set(token, rise)
    return rise
  }
  const { worth, turnover } = tradesAt(relaxation, point, { isOpen, riseOf })
  const cost = worth.map((net) => Math.max(0, -net))
  const start = searchPaths(stepsOf(relaxation, ν, isOpen, cost), sink, hops)
  const carried = start(source, amount * ν[source]!)
  const unused = gasMultiplier === terms.gasCost ? 0 : (gasMultiplier - terms.gasCost) * terms.room
  const nets = worth.filter((net) => net > 0).sort()
  const gross = nets.slice(-legs).reduce((sum, net) => sum + net, carried.worth + unused)
  const isFound = Number.isFinite(gross) && ![...rises.values()].includes(Number.POSITIVE_INFINITY)
  if (!isFound) return undefined
  const fixed = terms.gasCost * ROUTER_GAS
  return { amount: gross - fixed, size: Math.abs(gross) + fixed, turnover, path: carried.path }
}

/**
 * The steps that no parallel one beats in both factor and cost. An edge makes of a value at most its first price if
 * it is open, and not more than the value otherwise.
 */
function stepsOf(
  { graph, edges, from, to, tokens }: Relaxation,
  ν: Float64Array,
  isOpen: Uint8Array,
  cost?: Float64Array,
): Steps {
  const factor = Float64Array.from(edges, (e, i) => {
    const rate = (graph.spot[e]! * ν[to[i]!]!) / ν[from[i]!]!
    return isOpen[i] ? rate : Math.min(1, rate)
  })
  const steps: Step[][] = Array.from(tokens, () => [])
  const order = [...edges.keys()].sort((i, j) => factor[j]! - factor[i]! || i - j)
  for (const i of order) {
    const step = { edge: i, to: to[i]!, factor: factor[i]!, cost: cost?.[i] ?? 0 }
    const leaving = steps[from[i]!]!
    if (!leaving.some((other) => other.to === step.to && other.cost <= step.cost))
      leaving.push(step)
  }
  return steps
}

/**
 * The simple path to the sink that makes most of a value at a token, less its costs, by depth-first search that
 * prunes by the best walks; worth ∞ if it takes too long to find, and −∞ if there is none.
 */
function searchPaths(all: Steps, sink: number, hops: number) {
  const walks = bestWalks(all, sink, hops)
  const promise = ({ factor, to }: Step) => factor * walks[hops]![to]!
  // Good paths first, because they prune the others.
  const steps = all.map((leaving) => leaving.toSorted((a, b) => promise(b) - promise(a)))
  const isPassed = new Uint8Array(all.length)
  const path: number[] = []
  let [best, tried] = [0, 0]
  let bestPath: readonly number[] = []
  const visit = (k: number, value: number, cost: number, left: number): void => {
    if (k === sink && value - cost > best) {
      best = value - cost
      bestPath = path.slice()
    }
    if (k === sink || left === 0) return
    isPassed[k] = 1
    for (const step of steps[k]!) {
      const reach = value * step.factor
      const paid = cost + step.cost
      if (isPassed[step.to] || reach * walks[left - 1]![step.to]! - paid <= best) continue
      if (tried++ > MOST_HOPS_TRIED) break
      path.push(step.edge)
      visit(step.to, reach, paid, left - 1)
      path.pop()
    }
    isPassed[k] = 0
  }
  return (start: number, value: number): BestPath => {
    best = Number.NEGATIVE_INFINITY
    visit(start, value, 0, hops)
    return { worth: tried > MOST_HOPS_TRIED ? Number.POSITIVE_INFINITY : best, path: bestPath }
  }
}

/** By number of hops and token: the largest factor of a walk of at most so many hops to the sink. */
function bestWalks(steps: Steps, sink: number, hops: number): readonly Float64Array[] {
  const walks = [new Float64Array(steps.length)]
  walks[0]![sink] = 1
  for (let n = 0; n < hops; n++) {
    const last = walks[n]!
    const next = last.slice()
    for (const [k, leaving] of steps.entries()) {
      for (const { to, factor } of leaving) next[k] = Math.max(next[k]!, factor * last[to]!)
    }
    walks.push(next)
  }
  return walks
}
