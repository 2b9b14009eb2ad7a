/**
 * Upper bound by Lagrangian duality, tightened by fixed charges (gas) and the cap on legs. Input: a
 * problem at any prices and its outside. Output: a value that no acyclic route within the terms
 * exceeds. It is the certificate of the answer.
 */
import { outOf } from '../../math/pieces.js'
import { ROUTER_GAS } from '../../replay.js'
import type { OutsideEdge } from '../dual/outside.js'
import { leastGasOf } from '../network/gas.js'
import type { Problem } from '../network/problem.js'
import type { Terms } from '../terms.js'
import { boundLegs } from './legs.js'

/** A bound in floats, the sum of the sizes of its terms, and the value that its edges trade. */
export type Sum = {
  readonly amount: number
  readonly size: number
  readonly turnover: number
  readonly legPrice: number
}

/** The highest output of a single hop, less its gas, and the sizes of the two together. */
export type Direct = { readonly worth: number; readonly size: number }

/**
 * Margin for the rounding of floats, far above it. It is slightly larger than the checker's margin,
 * because the checker sums in another order.
 */
const BOUND_MARGIN = 1.001e-9
// A surplus is a small difference of two large values. Curves add up pieces, so these values keep
// twelve digits, not sixteen. The margin is therefore a fraction of the value traded, not of the
// surplus.
const TURNOVER_MARGIN = 1.1e-12
// Relative error of a price after five roundings. A pool's flow is uncertain by this fraction of its
// depth.
export const PRICE_DIGITS = 6e-16

/**
 * The bound at the prices in `problem`, after {@link respond} over all its edges. A route is either
 * one hop between the two tokens, whose output is known, or takes at least two hops, and then
 *
 *   UB(ν) = A·ν_in − p·router + Σ over the L best of max(0, surplus_i − p·gas_i) − D
 *
 * D is a lower bound on Σ max(0, p·gas_i − surplus_i) over the hops of a route: the larger of its
 * least value on a path from source to sink and on two hops. `rest` are the edges outside.
 */
export function boundAt(
  problem: Problem,
  terms: Terms,
  rest: {
    readonly offers: readonly OutsideEdge[]
    readonly turnover: number
    readonly leastGas: number
  },
): Sum {
  const { gasCost, maxLegs, maxGas } = terms
  const m = problem.edges.length
  const worth = new Float64Array(m)
  let leastGas = rest.leastGas
  let { turnover } = rest
  for (let i = 0; i < m; i++) {
    const gas = leastGasOf(problem, i)
    const νIn = problem.ν[problem.from[i]!]!
    // max over x of ν_out·h(x + extra) − ν_in·x is at most the surplus plus ν_in·extra.
    worth[i] = problem.surplus[i]! + νIn * problem.extraIn[i]! - gasCost * gas
    turnover += νIn * problem.x[i]! + PRICE_DIGITS * problem.c[i]!
    leastGas = Math.min(leastGas, gas)
  }
  const outside = rest.offers.map(({ surplus, gas }) => surplus - gasCost * gas)
  const idle = -gasCost * rest.leastGas
  const beyond = { worth: outside, best: outside.reduce((a, b) => Math.max(a, b), idle) }
  const hasBeyond = problem.outside.length > 0 && Number.isFinite(rest.leastGas)
  const legs = Math.min(maxLegs, Math.max(1, Math.floor((maxGas - ROUTER_GAS) / leastGas)))
  const { sum, unpaid, legPrice } = boundLegs(problem, worth, legs, hasBeyond ? beyond : undefined)
  const gross = problem.amount * problem.ν[problem.source]! + sum
  const fixed = gasCost * ROUTER_GAS
  const several = {
    amount: gross - unpaid - fixed,
    size: gross + unpaid + fixed,
    turnover,
    legPrice,
  }
  return severalOrDirect(several, bestDirect(problem, gasCost), fixed)
}

/**
 * The larger of the bounds on routes of several hops and of one hop. Each has a margin for its own
 * terms only: those of the smaller one would depend on how well the solver knows it.
 */
export function severalOrDirect(several: Sum, direct: Direct | undefined, fixed: number): Sum {
  if (!direct) return several
  const alone = { amount: direct.worth - fixed, size: direct.size + fixed, turnover: 0 }
  const { legPrice } = several
  return withMargins(alone) > withMargins(several) ? { ...alone, legPrice } : several
}

/** The highest output of one hop from source to sink, net of gas. */
function bestDirect(problem: Problem, gasCost: number): Direct | undefined {
  const { from, to, edges, pieces, extraIn, amount, source, sink } = problem
  let best: Direct | undefined
  for (let i = 0; i < edges.length; i++) {
    if (from[i] !== source || to[i] !== sink) continue
    const out = outOf(pieces[i]!, amount + extraIn[i]!)
    const paid = gasCost * leastGasOf(problem, i)
    if (!best || out - paid > best.worth) best = { worth: out - paid, size: out + paid }
  }
  return best
}

/**
 * A bound as an integer, rounded up after adding {@link BOUND_MARGIN} of the sizes of its terms,
 * {@link TURNOVER_MARGIN} of the value traded, and one wei.
 */
export function roundBoundUp(sum: Omit<Sum, 'legPrice'>): bigint {
  return BigInt(Math.ceil(withMargins(sum) + 1))
}

function withMargins({ amount, size, turnover }: Omit<Sum, 'legPrice'>): number {
  return amount + BOUND_MARGIN * size + TURNOVER_MARGIN * turnover
}
