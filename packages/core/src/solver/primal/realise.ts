/**
 * Realisation: turns a support into an executable route. Input: edges and an order. Output: hops with shares and their
 * exact result. It recovers the flow, rounds it to the executor's share grid and replays it in integers.
 */
import { edgeAt, piecesOf } from '../../graph.js'
import { edgesAt, topologicalOrder } from '../../math/edgeSets.js'
import { limitOf, outOf, priceOf } from '../../math/pieces.js'
import { refineShares } from '../../refineShares.js'
import { type PlannedHop, type Route, transactionGasOf, tryReplay } from '../../replay.js'
import { roundShares } from '../../roundShares.js'
import { balanceFlows } from '../dual/newton.js'
import type { Network, Problem } from '../network/problem.js'
import type { SolveInput } from '../terms.js'
import { RECOVERY_LIMIT, SHORTFALL } from '../tuning.js'
import { recoverFlow } from './recoverFlow.js'

/** A route with the result of its exact replay. */
export type Realised = {
  /** By graph number; graph numbers stay valid when the problem grows. */
  readonly edges: Int32Array
  readonly hops: readonly PlannedHop[]
  readonly route: Route
  readonly amountOut: bigint
  /** Output less gas, in wei of the token out. */
  readonly net: number
  /** Output predicted in floats before the replay, rounded down. */
  readonly estimate: bigint
  /** What one more unit of the token in would buy along the route, by the curves in use, in units of the token out. */
  readonly marginal: number
}

/** What is known of a route before its replay. */
type Predicted = { readonly estimate: number } & Pick<Realised, 'marginal'>

/** The route with the higher net; the second if they are equal. */
export function better(a: Realised | undefined, b: Realised | undefined): Realised | undefined {
  return a && !(b && b.net >= a.net) ? a : b
}

/** Returns true if a bound proves that no route is better by more than a fraction of the answer. */
export function isProvenWithin(
  gap: number,
  { amount }: { readonly amount: bigint },
  answer: Realised | undefined,
): boolean {
  return answer !== undefined && Number(amount) - answer.net <= gap * Math.abs(answer.net)
}

/** Replays a path of local edges, each taking the whole amount; `undefined` if the chain would revert. */
export function realisePath(
  { graph, edges }: Network,
  path: Int32Array,
  request: SolveInput,
): Realised | undefined {
  const used = path.map((i) => edges[i]!)
  const hops = Array.from(used, (e) => {
    const { pool, direction } = edgeAt(graph, e)
    return { pool, direction, share: 0 }
  })
  const amountIn = Number(request.order.amountIn)
  let [estimate, marginal] = [amountIn, 1]
  for (const e of used) {
    marginal *= priceOf(piecesOf(graph, e), estimate)
    estimate = outOf(piecesOf(graph, e), estimate)
  }
  return replayHops(used, hops, request, { estimate, marginal })
}

/**
 * The executable route over `edges`: recovers a flow from the dual, rounds it to shares, replays it and refines the
 * shares where rounding costs output, so that routes are compared as they pay. `undefined` if the edges cannot take the
 * whole amount, or the chain would revert. Leaves the problem at the minimum over the edges.
 */
export function realise(
  problem: Problem,
  edges: Int32Array,
  request: SolveInput,
): Realised | undefined {
  balanceFlows(problem, edges)
  const recovered = recoverFlow(problem, edges)
  if (!recovered) return undefined
  const { flow, amountOut } = recovered
  const marginal = Math.exp(problem.u[problem.source]!)
  const predicted = { estimate: amountOut, marginal }
  const used = edges.map((i) => problem.edges[i]!)
  const replayBy = (round: (share: number) => number) =>
    replayHops(used, hopsOf(problem, edges, flow, round), request, predicted)
  // A flow just before a tick may cross it where shares are rounded up.
  const realised = replayBy(Math.round) ?? replayBy(Math.floor)
  return realised && refineRealised(realised, request)
}

/**
 * The same hops with refined shares, if the route pays less than predicted by more than {@link SHORTFALL}: tokens with
 * few units are rounded, or a pool pays less than its hull.
 */
function refineRealised(realised: Realised, request: SolveInput): Realised {
  const { edges, hops, amountOut, estimate } = realised
  if (!(Number(estimate - amountOut) > SHORTFALL * Number(estimate))) return realised
  const shares = refineShares(hops, request.order)
  const predicted = { ...realised, estimate: Number(estimate) }
  const refined = replayHops(edges, shares, request, predicted)
  return refined && refined.net > realised.net ? refined : realised
}

/** The exact result of hops; `undefined` if one would revert or the route is above a cap on gas or legs. */
export function replayHops(
  edges: Int32Array,
  hops: readonly PlannedHop[],
  { order, terms }: Pick<SolveInput, 'order' | 'terms'>,
  { estimate, marginal }: Predicted,
): Realised | undefined {
  const replayed = tryReplay(hops, order)
  if (replayed.failedHop !== undefined) return undefined
  const gas = transactionGasOf(replayed.route)
  if (gas > terms.maxGas || hops.length > terms.maxLegs) return undefined
  return {
    ...{ edges, hops },
    route: replayed.route,
    amountOut: replayed.amountOut,
    net: Number(replayed.amountOut) - terms.gasCost * gas,
    estimate: BigInt(Math.floor(Math.max(0, estimate))),
    marginal,
  }
}

/**
 * The hops of a flow over some edges in topological order, with shares on the executor's grid. Throws if the flow has
 * a cycle, which the solver never passes.
 */
export function hopsOf(
  problem: Problem,
  edges: Int32Array,
  flow: Float64Array,
  round: (share: number) => number = Math.round,
): readonly PlannedHop[] {
  const { graph, from, pieces } = problem
  const used = edges.filter((i) => flow[i]! > 0)
  const order = topologicalOrder(problem, used)
  if (!order) throw new Error('a flow with a cycle cannot be executed')
  const mostOf = (i: number) => limitOf(pieces[i]!) * RECOVERY_LIMIT
  return order.flatMap((token) => {
    const leaving = edgesAt(from, used, token)
    if (leaving.length === 0) return []
    return roundShares(leaving, { amount: flow, mostOf, round }).map(([i, share]) => {
      const { pool, direction } = edgeAt(graph, problem.edges[i]!)
      return { pool, direction, share }
    })
  })
}
