import type { Address } from '../hex.js'
import { type Bound, boundAt, roundBoundUp } from './bound.js'
import { type Problem, respond } from './problem.js'
import type { Rest } from './rest.js'
import type { StartPrices } from './select.js'
import type { Terms } from './terms.js'

/** What a bound does not speak of. */
export type Scope = Pick<Bound, 'setAside' | 'excluded'>

/** A problem with prices, `all` its edges responding to them, and what lies beyond it. */
export type Priced = {
  readonly problem: Problem
  readonly all: Int32Array
  readonly rest: Rest
}

/** The certificate at the prices in a problem. */
export function certify({ problem, rest }: Priced, terms: Terms, scope: Scope): Bound {
  const sum = boundAt(problem, terms, rest)
  const prices: Record<Address, number> = { ...pricesOf(problem) }
  for (const [k, price] of rest.prices) prices[problem.graph.tokens[k]!] = price
  return { ...terms, ...scope, amount: roundBoundUp(sum), prices }
}

/** The prices in a problem by the addresses of its tokens. */
export function pricesOf({ graph, tokens, u }: Problem): StartPrices {
  return Object.fromEntries(Array.from(tokens, (k, i) => [graph.tokens[k]!, u[i]!]))
}

const STEPS = 5
const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * The lowest certificate found between the prices in the problem and others of a problem with
 * nothing beyond it. Gas pulls the best prices from those of the dual's minimum towards those of the
 * answer, seldom all the way; the bound is convex in ν, so a golden section finds how far.
 */
export function certifyBetween(
  priced: Priced,
  others: Float64Array,
  terms: Terms,
  scope: Scope,
): Bound {
  const { problem, all, rest } = priced
  const here = problem.u.slice()
  const moveTo = (t: number): number => {
    for (let k = 0; k < here.length; k++) {
      problem.u[k] = Math.log((1 - t) * Math.exp(others[k]!) + t * Math.exp(here[k]!))
    }
    respond(problem, all)
    return boundAt(problem, terms, rest).amount
  }
  let [low, high] = [0, 1]
  let [a, b] = [1 - GOLDEN, GOLDEN]
  let [atA, atB] = [moveTo(a), moveTo(b)]
  for (let n = 0; n < STEPS; n++) {
    if (atA < atB) {
      high = b
      ;[b, atB] = [a, atA]
      a = high - GOLDEN * (high - low)
      atA = moveTo(a)
    } else {
      low = a
      ;[a, atA] = [b, atB]
      b = low + GOLDEN * (high - low)
      atB = moveTo(b)
    }
  }
  moveTo(atA < atB ? a : b)
  return certify(priced, terms, scope)
}
