/**
 * Realisation: turns a support into an executable route, with a repair heuristic. Input: edges and
 * an order. Output: hops with shares and their exact result. It recovers the flow, rounds it,
 * replays it in integers, and drops an edge and solves again if the chain would revert.
 */
import { edgeAt, piecesOf } from '../../graph.js'
import { outOf, pieceAt } from '../../math/pieces.js'
import type { Order } from '../../order.js'
import { toCurve } from '../../pools/index.js'
import {
  transactionGasOf as gasOfRoute,
  type PlannedHop,
  type Route,
  tryReplay,
} from '../../replay.js'
import { minimiseDual, restoreBalance } from '../dual/newton.js'
import type { Flow } from '../network/flow.js'
import { gasAt } from '../network/gas.js'
import type { Problem } from '../network/problem.js'
import type { Network } from '../network/subgraph.js'
import { findCycle, removeDeadEnds, significantFlow } from '../network/support.js'
import { cutsOf, cutTo, setCuts, uncut } from '../network/tickCuts.js'
import type { Terms } from '../terms.js'
import { recoverFlow } from './recoverFlow.js'
import { refineShares } from './refineShares.js'
import { roundShares } from './roundShares.js'

const TOLERANCE = 1e-9
const REPAIRS = 24

/** A route with the result of its exact replay. */
export type Realised = {
  readonly hops: readonly PlannedHop[]
  readonly route: Route
  readonly amountOut: bigint
  /** Output less gas, in wei of the token out. */
  readonly net: number
  /** Output predicted in floats before the replay, rounded down. */
  readonly estimate: bigint
}

/**
 * Replays a path of local edges, each taking the whole amount; `undefined` if the chain would
 * revert.
 */
export function realisePath(
  problem: Problem,
  path: Int32Array,
  order: Order,
  terms: Terms,
): Realised | undefined {
  const hops = Array.from(path, (i) => {
    const { pool, direction } = edgeAt(problem.graph, problem.edges[i]!)
    return { pool, direction, share: 0 }
  })
  const estimate = path.reduce((x, i) => outOf(problem.pieces[i]!, x), problem.amount)
  const settled = walk(hops, order, terms, estimate)
  return typeof settled === 'number' ? undefined : settled
}

/** Rounds a flow to shares and replays it; `undefined` if the chain would revert. */
export function realiseFlow(
  network: Network,
  flow: Flow,
  order: Order,
  terms: Terms,
): Realised | undefined {
  const { graph, edges, to, sink } = network
  const estimate = flow.edges.reduce(
    (sum, i, s) =>
      to[i] === sink ? sum + outOf(piecesOf(graph, edges[i]!), flow.amounts[s]!) : sum,
    0,
  )
  const settled = walk(roundShares(network, flow), order, terms, estimate)
  return typeof settled === 'number' ? undefined : settled
}

// Shares are refined if the exact output is below the float output by more than this fraction.
const COARSE = 1e-6

/**
 * The same hops with refined shares, if the rounding of tokens on the route costs more than
 * {@link COARSE}. Routes over hulls are left alone, because a hull promises more than its pool pays
 * for another reason.
 */
export function refineRealised(settled: Realised, order: Order, terms: Terms): Realised {
  const { hops, amountOut, estimate } = settled
  if (!(Number(estimate - amountOut) > COARSE * Number(estimate))) return settled
  if (hops.some(({ pool, direction }) => toCurve(pool, direction).isHull)) return settled
  const polished = walk(refineShares(hops, order), order, terms, Number(estimate))
  return typeof polished !== 'number' && polished.net > settled.net ? polished : settled
}

// An output that is below the dual's prediction by more than this fraction is short.
const SHORTFALL = 1e-3

/** A route over a subset of the given edges. */
type RealisedSplit = Realised & { readonly edges: Int32Array }

/**
 * The best executable route over `edges`. If the order drains its pools, its last part is worth
 * almost nothing, so the dual hardly determines where it goes, but all of it must be placed. If the
 * route is short of the prediction, the flows are balanced to the last digit; if it is still short,
 * the edges of `path`, which can take the whole amount, are added to carry the overflow. Attempts
 * may cut edges further; the cuts of the caller are restored before each attempt and at the end.
 */
export function realise(
  problem: Problem,
  edges: Int32Array,
  order: Order,
  terms: Terms,
  path: Int32Array | undefined,
): (RealisedSplit & { readonly isUnderfilled: boolean }) | undefined {
  const { outputEstimate } = problem
  const prices = problem.u.slice()
  const cuts = cutsOf(problem, edges)
  const predicted = solveDual(problem, edges)
  let best = realiseOnce(problem, edges, order, terms, path)
  const isUnderfilled = () => !(best && Number(best.amountOut) > predicted * (1 - SHORTFALL))
  const retry = (from: Int32Array) => {
    const next = realiseOnce(problem, from, order, terms, path)
    if (next && !(best && best.net >= next.net)) best = next
  }
  if (isUnderfilled()) {
    problem.u.set(prices)
    setCuts(problem, edges, cuts)
    problem.outputEstimate = 0
    retry(edges)
    problem.outputEstimate = outputEstimate
  }
  if (isUnderfilled() && path) {
    problem.u.set(prices)
    setCuts(problem, edges, cuts)
    solveDual(problem, edges)
    retry(addOverflowPath(problem, edges, path))
  }
  setCuts(problem, edges, cuts)
  if (best && isUnderfilled()) best = { ...refineRealised(best, order, terms), edges: best.edges }
  return best && { ...best, isUnderfilled: isUnderfilled() }
}

/**
 * Recovers a flow from the dual over `edges`, rounds it to shares and replays it. If a hop would
 * revert (output below one wei, or pool exhausted), or the gas is above its cap, drops an edge and
 * solves again, at most {@link REPAIRS} times. If a token cannot pass on its inflow, adds `path`
 * once. Leaves the problem at the minimum over the remaining edges.
 */
function realiseOnce(
  problem: Problem,
  edges: Int32Array,
  order: Order,
  terms: Terms,
  path: Int32Array | undefined,
): RealisedSplit | undefined {
  let active = edges
  let overflowPath = path
  if (active.length > 0) solveDual(problem, active)
  for (let repair = 0; repair < REPAIRS && active.length > 0; repair++) {
    const recovered = recoverFlow(problem, active)
    if (!recovered) return undefined
    let failed: number | undefined
    if (recovered.saturatedToken !== undefined) {
      if (overflowPath) {
        active = addOverflowPath(problem, active, overflowPath)
        overflowPath = undefined
        continue
      }
      failed = smallestInto(problem, active, recovered.saturatedToken)
    } else {
      const hops = roundShares(problem, recovered.flow)
      if (hops.length === 0) return undefined
      const settled = walk(hops, order, terms, recovered.amountOut)
      if (typeof settled !== 'number') return { ...settled, edges: active }
      failed =
        settled < hops.length ? edgeOf(problem, active, hops[settled]!) : saveGas(problem, active)
    }
    active = removeDeadEnds(
      problem,
      active.filter((i) => i !== failed),
    )
    if (active.length === 0) return undefined
    solveDual(problem, active)
    active = significantFlow(problem, active)
  }
  return undefined
}

/** Minimises the dual over the edges and balances its flows; returns the minimum. */
function solveDual(problem: Problem, edges: Int32Array): number {
  const { bound } = minimiseDual(problem, edges, TOLERANCE)
  restoreBalance(problem, edges, TOLERANCE)
  return bound
}

/** The edges plus a path that carries the overflow, without the weakest edge of each cycle. */
function addOverflowPath(problem: Problem, edges: Int32Array, path: Int32Array): Int32Array {
  for (const i of path) uncut(problem, i)
  const isPath = new Set(path)
  let all = Int32Array.from(new Set([...edges, ...path]))
  for (let cycle = findCycle(problem, all); cycle; cycle = findCycle(problem, all)) {
    const weakest = cycle
      .filter((i) => !isPath.has(i))
      .reduce((a, b) => (problem.x[b]! < problem.x[a]! ? b : a))
    all = all.filter((i) => i !== weakest)
  }
  return all
}

/** The smallest edge into a token; dropped first if the token cannot pass on its inflow. */
function smallestInto({ to, y }: Problem, active: Int32Array, token: number): number {
  return active
    .filter((i) => to[i] === token)
    .reduce((least, i) => (least < 0 || y[i]! < y[least]! ? i : least), -1)
}

/**
 * Cuts an edge at its last tick, or returns an edge to drop, where the least surplus is lost per gas.
 * For a route above the cap on gas.
 */
function saveGas(problem: Problem, active: Int32Array): number | undefined {
  const { ν, from, to, x, surplus, pieces, stepGas } = problem
  let best = { loss: Number.POSITIVE_INFINITY, edge: active[0]!, count: 0 }
  for (const i of active) {
    const loss = surplus[i]! / gasAt(problem, i)
    if (loss < best.loss) best = { loss, edge: i, count: 0 }
    const count = stepGas[i] === 0 ? 0 : pieceAt(pieces[i]!, x[i]!)
    if (count === 0) continue
    const { startIn, startOut } = pieces[i]!
    const left = ν[to[i]!]! * startOut[count]! - ν[from[i]!]! * startIn[count]!
    const cutLoss = (surplus[i]! - left) / stepGas[i]!
    if (cutLoss < best.loss) best = { loss: cutLoss, edge: i, count }
  }
  if (best.count === 0) return best.edge
  cutTo(problem, best.edge, best.count)
  return undefined
}

function edgeOf({ graph, edges }: Problem, active: Int32Array, hop: PlannedHop): number {
  return active.find((i) => {
    const { pool, direction } = edgeAt(graph, edges[i]!)
    return pool.id === hop.pool.id && direction.in === hop.direction.in
  })!
}

function walk(
  hops: readonly PlannedHop[],
  order: Order,
  terms: Terms,
  estimate: number,
): Realised | number {
  const walked = tryReplay(hops, order)
  if (walked.failedHop !== undefined) return walked.failedHop
  const gas = gasOfRoute(walked.route)
  // Above the cap on gas or legs: no particular hop failed.
  if (gas > terms.maxGas || hops.length > terms.maxLegs) return hops.length
  return {
    hops,
    route: walked.route,
    amountOut: walked.amountOut,
    net: Number(walked.amountOut) - terms.gasCost * gas,
    estimate: BigInt(Math.floor(Math.max(0, estimate))),
  }
}
