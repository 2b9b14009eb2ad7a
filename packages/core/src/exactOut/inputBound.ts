/**
 * The lower bound on the input of an exact-output order, derived from the upper bound on the output
 * that a solve returns: docs/solver.md, "Exact output". Input: graph, order, and the bound at one
 * input. Output: an {@link InputBound}, which `recomputeInputBound` checks.
 */

import type { Bound } from '../certificate/bound.js'
import type { InputBound } from '../certificate/recomputeInputBound.js'
import { type Graph, piecesOf } from '../graph.js'
import { inputForOf, outOf } from '../math/pieces.js'
import type { ExactOutOrder } from '../order.js'
import { ROUTER_GAS } from '../replay.js'

// Twice the margins of the checker, because the order of the float operations differs.
const CONVERSION_MARGIN = 2e-12
const CURVE_MARGIN = 2e-9

/**
 * The lower bound that follows from `bound`, the upper bound at an input of `amountIn` wei. The
 * order is between two ERC-20 tokens.
 */
export function inputBoundOf(
  graph: Graph,
  order: ExactOutOrder,
  amountIn: bigint,
  bound: Bound,
): InputBound {
  const rate = Math.exp(bound.prices[order.tokenIn]! - bound.prices[order.tokenOut]!)
  const gasCost = bound.gasCost / rate
  const beyond = Number(bound.amount - order.amountOut) / rate
  const several = amountIn - BigInt(Math.ceil(beyond + CONVERSION_MARGIN * Math.abs(beyond))) - 1n
  const alone = leastOfOneHop(graph, order, gasCost, new Set(bound.excluded))
  const least = alone < several ? Math.floor(alone * (1 - CONVERSION_MARGIN)) : several
  return { amount: BigInt(least > 0 ? least : 0), gasCost, amountIn, bound }
}

/** The least cost of one hop that pays the wanted output; infinite if no pool can. */
function leastOfOneHop(
  graph: Graph,
  { tokenIn, tokenOut, amountOut }: ExactOutOrder,
  gasCost: number,
  excluded: ReadonlySet<string>,
): number {
  const [source, sink] = [graph.tokenNumber.get(tokenIn), graph.tokenNumber.get(tokenOut)]
  const wanted = Number(amountOut) * (1 - CURVE_MARGIN)
  let least = Number.POSITIVE_INFINITY
  if (source === undefined || sink === undefined) return least
  for (let e = graph.firstFrom[source]!; e < graph.firstFrom[source + 1]!; e++) {
    if (graph.to[e] !== sink || excluded.has(graph.pools[graph.poolOf[e]!]!)) continue
    const pieces = piecesOf(graph, e)
    if (outOf(pieces, Number.POSITIVE_INFINITY) < wanted) continue
    const input = inputForOf(pieces, wanted) - graph.extraIn[e]!
    least = Math.min(least, input + gasCost * (graph.gas[e]! + ROUTER_GAS))
  }
  return least
}

/**
 * Returns the gap of an exact-output quote above the least cost, in basis points of its
 * cost. `null` if it is below its bound: then the bound is wrong and the distance is unknown.
 * `undefined` if there is no bound. Never throws.
 */
export function inputGapBpsOf({
  amountIn,
  gas,
  inputBound,
}: {
  readonly amountIn: bigint
  readonly gas: number
  readonly inputBound?: InputBound
}): number | null | undefined {
  if (!inputBound) return undefined
  const cost = Number(amountIn) + gas * inputBound.gasCost
  const isPassed =
    inputBound.gasCost > 0 ? cost < Number(inputBound.amount) : amountIn < inputBound.amount
  return isPassed ? null : (1 - Number(inputBound.amount) / cost) * 10_000
}
