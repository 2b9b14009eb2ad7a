/**
 * Realisation: turns a support into an executable route, with a repair heuristic. Input: edges and
 * an order. Output: hops with shares and their exact result. It recovers the flow, rounds it,
 * replays it in integers, and drops an edge and solves again if the chain would revert.
 */
import { edgeAt, piecesOf } from '../../graph.js'
import { outOf } from '../../math/pieces.js'
import { familyOf } from '../../pools/index.js'
import {
  transactionGasOf as gasOfRoute,
  type PlannedHop,
  type Route,
  tryReplay,
} from '../../replay.js'
import { balanceFlows } from '../dual/newton.js'
import { gasAt } from '../network/gas.js'
import type { Network, Problem } from '../network/problem.js'
import { removeDeadEnds, significantFlow } from '../network/support.js'
import type { Request } from '../terms.js'
import { COARSE, REPAIRS } from '../tuning.js'
import { recoverFlow } from './recoverFlow.js'
import { refineShares, roundShares } from './roundShares.js'

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

/** A route and its edges by graph number; graph numbers stay valid when the problem grows. */
export type Candidate = {
  readonly realised: Realised
  readonly edges: Int32Array
}

/** The candidate with the higher net; the second if they are equal. */
export function better(a: Candidate | undefined, b: Candidate | undefined): Candidate | undefined {
  return a && !(b && b.realised.net >= a.realised.net) ? a : b
}

/**
 * Replays a path of local edges, each taking the whole amount; `undefined` if the chain would
 * revert.
 */
export function realisePath(
  { graph, edges }: Network,
  path: Int32Array,
  request: Request,
): Candidate | undefined {
  const used = path.map((i) => edges[i]!)
  const hops = Array.from(used, (e) => {
    const { pool, direction } = edgeAt(graph, e)
    return { pool, direction, share: 0 }
  })
  const amountIn = Number(request.order.amountIn)
  const estimate = used.reduce((x, e) => outOf(piecesOf(graph, e), x), amountIn)
  const realised = walk(hops, request, estimate)
  return typeof realised === 'number' ? undefined : { realised, edges: used }
}

/**
 * The same hops with refined shares, if the rounding of tokens on the route costs more than
 * {@link COARSE}. Routes over hulls are left alone, because a hull promises more than its pool pays
 * for another reason.
 */
export function refineRealised(realised: Realised, request: Request): Realised {
  const { hops, amountOut, estimate } = realised
  const { families } = request.graph
  if (!(Number(estimate - amountOut) > COARSE * Number(estimate))) return realised
  if (hops.some(({ pool, direction }) => familyOf(families, pool).toCurve(pool, direction).isHull))
    return realised
  const refined = walk(refineShares(families, hops, request.order), request, Number(estimate))
  return typeof refined !== 'number' && refined.net > realised.net ? refined : realised
}

/**
 * The executable route over `edges`, or over fewer: recovers a flow from the dual, rounds it to shares
 * and replays it. If a hop would revert (output below one wei, or pool exhausted) or the gas is above its cap,
 * drops an edge and solves again, at most {@link REPAIRS} times. Leaves the problem at the minimum over the
 * remaining edges.
 */
export function realise(
  problem: Problem,
  edges: Int32Array,
  request: Request,
): Candidate | undefined {
  let active = edges
  for (let repair = 0; repair < REPAIRS && active.length > 0; repair++) {
    balanceFlows(problem, active)
    if (repair > 0) active = significantFlow(problem, active)
    const recovered = recoverFlow(problem, active)
    if (!recovered) return undefined
    const { hops, edges: edgeOf } = roundShares(problem, active, recovered.flow)
    if (hops.length === 0) return undefined
    const realised = walk(hops, request, recovered.amountOut)
    if (typeof realised !== 'number')
      return { realised, edges: active.map((i) => problem.edges[i]!) }
    const failed = edgeOf[realised] ?? leastWorth(problem, active)
    const left = active.filter((i) => i !== failed)
    active = removeDeadEnds(problem, left)
  }
  return undefined
}

/** The edge that earns least per gas; dropped first if the route is above the cap on gas. */
function leastWorth(problem: Problem, active: Int32Array): number {
  const worth = (i: number) => problem.surplus[i]! / gasAt(problem, i)
  return active.reduce((least, i) => (worth(i) < worth(least) ? i : least))
}

function walk(
  hops: readonly PlannedHop[],
  { graph, order, terms }: Request,
  estimate: number,
): Realised | number {
  const walked = tryReplay(graph.families, hops, order)
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
