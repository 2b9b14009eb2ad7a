/**
 * A candidate answer of an exact-output order: the route of a solve, and how much input its shares
 * need for the wanted output. Input: the order, and what the solver returned. Output: hops, a bracket
 * of the input, and the cost by which candidates are compared.
 */

import type { InputBound } from '../certificate/recomputeInputBound.js'
import type { ExactOutOrder, Order } from '../order.js'
import { familyOf } from '../pools/index.js'
import { type Hop, replay, transactionGasOf } from '../replay.js'
import type { Solution } from '../solver/solve.js'
import type { Options } from '../solver/terms.js'
import { type Bracket, findBracket, narrow, type Target } from './leastInput.js'

// A bracket of 2^-24 of the input is enough while routes are still compared.
const COARSE_BITS = 24n

/** A route, and a coarse bracket of the least input for which it pays enough. */
export type Candidate = {
  readonly target: Target
  readonly bracket: Bracket
  /** Input and gas, in wei of the token in. */
  readonly cost: number
  readonly prices: Solution['prices']
}

/** A route as a candidate; `undefined` if its hops cannot pay enough within the cap on gas. */
export function candidateOf(solved: {
  readonly order: ExactOutOrder
  readonly asked: Order
  readonly solution: Solution
  readonly bound: InputBound | undefined
  readonly options: Options
}): Candidate | undefined {
  const { order, solution, bound, options } = solved
  const { amountIn, ...ends } = solved.asked
  const { hops, prices } = solution
  const { maxGas } = options
  const target = { hops, ...ends, amountOut: order.amountOut }
  const wide = findBracket(target, amountIn)
  if (!wide) return undefined
  const bracket = narrow(target, wide, (wide.high >> COARSE_BITS) + 1n)
  const replayed = replay(hops, { ...ends, amountIn: bracket.high })!
  // Beyond the end of a curve a pool may pay a little more, but neither search nor bound counts it.
  if (replayed.route.some((hop) => isBeyondCurve(hop))) return undefined
  const gas = transactionGasOf(replayed.route)
  if (gas > (bound?.bound.maxGas ?? maxGas ?? Number.POSITIVE_INFINITY)) return undefined
  const cost = Number(bracket.high) + gas * (bound?.gasCost ?? 0)
  return { target, bracket, cost, prices }
}

function isBeyondCurve({ pool, direction, amountIn }: Hop): boolean {
  return Number(amountIn) > familyOf(pool).toCurve(pool, direction).limit
}
