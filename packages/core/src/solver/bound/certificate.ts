/**
 * Certificates of the bound, and a search on a line for prices that lower it. Input: problems at prices.
 * Output: a {@link Bound} with its prices by address, so that anyone can check it.
 */
import type { Bound } from '../../certificate/bound.js'
import type { Address } from '../../hex.js'
import { solveArbitrage } from '../dual/arbitrage.js'
import { type Outside, priceOutside } from '../dual/outside.js'
import type { Network, Problem } from '../network/problem.js'
import type { Request } from '../terms.js'
import { LINE_STEPS } from '../tuning.js'
import { boundAt, roundBoundUp } from './upperBound.js'

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
