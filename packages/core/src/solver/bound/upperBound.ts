/**
 * Upper bound by Lagrangian duality, tightened by fixed charges (gas) and the cap on legs. Input: a
 * problem at any prices and its outside. Output: a value that no acyclic route within the terms exceeds, as a
 * {@link Bound} with its prices by address, so that anyone can check it. A search on a line lowers it.
 */
import type { Bound } from '../../certificate/bound.js'
import type { Address } from '../../hex.js'
import { outOf } from '../../math/pieces.js'
import { ROUTER_GAS } from '../../replay.js'
import { solveArbitrage } from '../dual/arbitrage.js'
import { type Outside, priceOutside } from '../dual/outside.js'
import type { Network, Problem } from '../network/problem.js'
import { mostLegs, type Request, type Terms } from '../terms.js'
import { BOUND_MARGIN, LINE_STEPS, PRICE_DIGITS, TURNOVER_MARGIN } from '../tuning.js'
import { boundLegs } from './legs.js'

/** A bound in floats, the sum of the sizes of its terms, and the value that its edges trade. */
export type Sum = { readonly amount: number; readonly size: number; readonly turnover: number }

const NOTHING: Sum = { amount: 0, size: 0, turnover: 0 }

/**
 * The bound at the prices in `problem`, after all its edges have responded to them. A route is either
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
  rest: Pick<Outside, 'nets' | 'turnover' | 'leastGas'>,
): Sum & { readonly legPrice: number } {
  const { gasCost } = terms
  const m = problem.edges.length
  const worth = new Float64Array(m)
  let leastGas = rest.leastGas
  let { turnover } = rest
  for (let i = 0; i < m; i++) {
    const gas = problem.gas[i]!
    const νIn = problem.ν[problem.from[i]!]!
    // max over x of ν_out·h(x + extra) − ν_in·x is at most the surplus plus ν_in·extra.
    worth[i] = problem.surplus[i]! + νIn * problem.extraIn[i]! - gasCost * gas
    turnover += νIn * problem.x[i]! + PRICE_DIGITS * problem.c[i]!
    leastGas = Math.min(leastGas, gas)
  }
  // An outside edge that earns nothing still costs its gas.
  const idle = -gasCost * rest.leastGas
  const beyond = { worth: rest.nets, best: rest.nets.reduce((a, b) => Math.max(a, b), idle) }
  const hasBeyond = Number.isFinite(rest.leastGas)
  const legs = mostLegs(terms, leastGas)
  const { sum, unpaid, legPrice } = boundLegs(problem, worth, legs, hasBeyond ? beyond : undefined)
  const gross = problem.amount * problem.ν[problem.source]! + sum
  const fixed = gasCost * ROUTER_GAS
  const direct = bestDirect(problem, gasCost, fixed)
  if (unpaid === Number.POSITIVE_INFINITY) return { legPrice, ...(direct ?? NOTHING) }
  const several = { amount: gross - unpaid - fixed, size: gross + unpaid + fixed, turnover }
  // Each has a margin for its own terms only: those of the smaller one depend on the prices.
  const isDirect = direct && withMargins(direct) > withMargins(several)
  return { legPrice, ...(isDirect ? direct : several) }
}

/** The highest output of one hop from source to sink, net of gas and of the fixed cost. */
function bestDirect(problem: Problem, gasCost: number, fixed: number): Sum | undefined {
  const { from, to, edges, pieces, extraIn, amount, source, sink } = problem
  let best: Sum | undefined
  for (let i = 0; i < edges.length; i++) {
    if (from[i] !== source || to[i] !== sink) continue
    const out = outOf(pieces[i]!, amount + extraIn[i]!)
    const paid = gasCost * problem.gas[i]! + fixed
    if (!best || out - paid > best.amount)
      best = { amount: out - paid, size: out + paid, turnover: 0 }
  }
  return best
}

/**
 * A bound as an integer, rounded up after adding {@link BOUND_MARGIN} of the sizes of its terms,
 * {@link TURNOVER_MARGIN} of the value traded, and one wei.
 */
export function roundBoundUp(sum: Sum): bigint {
  return BigInt(Math.ceil(withMargins(sum) + 1))
}

function withMargins({ amount, size, turnover }: Sum): number {
  return amount + BOUND_MARGIN * size + TURNOVER_MARGIN * turnover
}

/** The certificate at the prices in a problem, to which all its edges have responded, and of its outside. */
export function certify(problem: Problem, rest: Outside, { terms, scope }: Request): Bound {
  const { objective, gasCost, maxLegs, maxGas } = terms
  const sum = boundAt(problem, terms, rest)
  const prices = pricesOf(problem, problem.u)
  for (const k of problem.outside) {
    const price = rest.prices[k]!
    if (!Number.isNaN(price)) prices[problem.graph.tokens[k]!] = price
  }
  return {
    ...{ amount: roundBoundUp(sum), prices, gasMultiplier: gasCost, legPrice: sum.legPrice },
    ...{ objective, gasCost, maxLegs, maxGas },
    ...scope,
  }
}

/** Log prices of a network's tokens by address. */
export function pricesOf(
  { graph, tokens }: Pick<Network, 'graph' | 'tokens'>,
  u: Float64Array,
): Record<Address, number> {
  return Object.fromEntries(Array.from(tokens, (k, i) => [graph.tokens[k]!, u[i]!]))
}

/**
 * The lowest certificate found on the line between two vectors of log prices, for a problem with nothing
 * outside. Gas moves the best prices from the minimum of the dual towards the prices of the answer, seldom
 * all the way. Apart from the cost of the cheapest path, the bound is convex in ν, so a
 * search that halves its steps finds how far.
 */
export function boundBetween(
  problem: Problem,
  [some, others]: readonly [Float64Array, Float64Array],
  request: Request,
): Bound {
  const rest = priceOutside(problem, request)
  const [from, to] = [some.map(Math.exp), others.map(Math.exp)]
  const boundPart = (t: number) => {
    for (let k = 0; k < from.length; k++) {
      problem.u[k] = Math.log((1 - t) * from[k]! + t * to[k]!)
    }
    solveArbitrage(problem, problem.all)
    return { t, amount: boundAt(problem, request.terms, rest).amount }
  }
  let best = boundPart(1 / 2)
  for (let n = 2; n <= LINE_STEPS; n++) {
    for (const { t, amount } of [boundPart(best.t - 2 ** -n), boundPart(best.t + 2 ** -n)]) {
      if (amount < best.amount) best = { t, amount }
    }
  }
  boundPart(best.t)
  return certify(problem, rest, request)
}
