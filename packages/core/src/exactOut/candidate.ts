/**
 * A candidate answer of an exact-output order: the route of a sale, and how much input its shares need for the wanted
 * output. Input: a curve, a sale on it, the order. Output: a bracket of the input, and the cost by which candidates are
 * compared.
 */
import { type Curve, resized, type Sale } from '../curve/curve.js'
import type { ExactOutOrder } from '../order.js'
import { transactionGasOf } from '../replay.js'
import { type Bracket, findBracket, narrow, type Target } from './leastInput.js'

// A bracket of 2^-24 of the input is enough while routes are still compared.
const COARSE_BITS = 24n

/** A route, and a coarse bracket of the least input for which it pays enough. */
export type Candidate = {
  readonly target: Target
  readonly bracket: Bracket
  /** The sale whose route it is. */
  readonly from: Sale
  /** The sale of the upper end of the bracket. */
  readonly sale: Sale
  /** Input and gas, in wei of the token in. */
  readonly cost: number
}

/** The route of a sale as a candidate; `undefined` if its hops cannot pay enough within the caps. */
export function candidateOf(
  curve: Curve,
  from: Sale,
  { amountOut }: ExactOutOrder,
): Candidate | undefined {
  const target = { hops: from.hops, ...curve.ends, amountOut }
  const wide = findBracket(target, from.order.amountIn)
  if (!wide) return undefined
  const bracket = narrow(target, wide, (wide.high >> COARSE_BITS) + 1n)
  const sale = resized(curve, from, bracket.high)
  if (!sale) return undefined
  const amountIn = Number(bracket.high)
  // At the rate of the order: the last units of two routes do not price the same gas alike.
  const gas = (transactionGasOf(sale.route) * curve.terms.gasCost) / Number(amountOut)
  return { target, bracket, from, sale, cost: amountIn * (1 + gas) }
}
