/**
 * Certificates of the bound, and a golden-section search for prices that lower it. Input: problems
 * at prices. Output: a {@link Bound} with its prices by address, so that anyone can check it.
 */

import type { Bound } from '../../certificate/bound.js'
import type { Address } from '../../hex.js'
import { solveArbitrage } from '../dual/arbitrage.js'
import type { Outside } from '../dual/outside.js'
import type { Network, Problem } from '../network/problem.js'
import type { Request, Terms } from '../terms.js'
import { LINE_STEPS } from '../tuning.js'
import { boundAt, roundBoundUp } from './upperBound.js'

/** A problem whose edges have all responded to its prices, and its outside. */
export type Priced = {
  readonly problem: Problem
  readonly rest: Outside
}

/** A bound and its prices; {@link certify} makes a certificate of it. */
export type BoundAt = {
  /** In wei of the token out, rounded up. */
  readonly amount: bigint
  readonly priced: Priced
  readonly u: Float64Array
  readonly legPrice: number
}

/** The bound at the prices in a problem. */
export function boundAtPrices(priced: Priced, terms: Terms): BoundAt {
  const { problem, rest } = priced
  const sum = boundAt(problem, terms, rest)
  return { amount: roundBoundUp(sum), priced, u: problem.u.slice(), legPrice: sum.legPrice }
}

/** The certificate of a bound, with its prices by address. */
export function certify(
  { amount, priced, u, legPrice }: BoundAt,
  { terms, scope }: Pick<Request, 'terms' | 'scope'>,
): Bound {
  const { problem, rest } = priced
  const { objective, gasCost, maxLegs, maxGas } = terms
  const prices = pricesOf(problem, u)
  for (const k of problem.outside) {
    const price = rest.prices[k]!
    if (!Number.isNaN(price)) prices[problem.graph.tokens[k]!] = price
  }
  return {
    ...{ amount, prices, gasMultiplier: gasCost, legPrice },
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

const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * The lowest bound found on the line between two price vectors, for a problem with nothing outside.
 * Gas moves the best prices from the minimum of the dual towards the prices of the answer, seldom
 * all the way. Apart from the cost of the cheapest path, the bound is convex in ν, so a golden
 * section finds how far.
 */
export function boundBetween(
  priced: Priced,
  [some, others]: readonly [Float64Array, Float64Array],
  terms: Terms,
): BoundAt {
  const { problem, rest } = priced
  const { u } = problem
  const [from, to] = [some.map(Math.exp), others.map(Math.exp)]
  const boundPart = (t: number) => {
    for (let k = 0; k < u.length; k++) {
      u[k] = Math.log((1 - t) * from[k]! + t * to[k]!)
    }
    solveArbitrage(problem, problem.all)
    return { t, u: u.slice(), ...boundAt(problem, terms, rest) }
  }
  let [low, high] = [0, 1]
  let [a, b] = [boundPart(1 - GOLDEN), boundPart(GOLDEN)]
  for (let n = 0; n < LINE_STEPS; n++) {
    if (a.amount < b.amount) {
      high = b.t
      b = a
      a = boundPart(high - GOLDEN * (high - low))
    } else {
      low = a.t
      a = b
      b = boundPart(low + GOLDEN * (high - low))
    }
  }
  const best = a.amount < b.amount ? a : b
  return { amount: roundBoundUp(best), priced, u: best.u, legPrice: best.legPrice }
}
