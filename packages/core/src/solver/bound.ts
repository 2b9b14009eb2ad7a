import type { Address, Hex } from '../hex.js'
import { outOf } from '../math/pieces.js'
import { ROUTER_GAS } from '../route.js'
import type { Problem } from './problem.js'
import { gasOf } from './support.js'
import type { Terms } from './terms.js'

/**
 * A certificate: no route over the clean pools, within the terms, is worth more than `amount`. It
 * holds for whatever prices it is evaluated at; good prices make it tight. See docs/solver.md.
 */
export type Bound = Terms & {
  /** Wei of the token out, rounded up: of the output itself, or less its gas where objective is net. */
  readonly amount: bigint
  /** ln ν per token, ν the worth of a raw unit in raw units of the token out. */
  readonly prices: Readonly<Record<Address, number>>
  /** Pools off the market, which the bound counts only where they trade the order's own pair. */
  readonly setAside: readonly Hex[]
  /** Pools that the order excluded. */
  readonly excluded: readonly Hex[]
}

/** A bound in floats, the size of what it sums, and what the edges trade at its prices. */
export type Sum = { readonly amount: number; readonly size: number; readonly turnover: number }

/** What an edge would earn at the prices, and the gas it takes. */
export type Offer = { readonly surplus: number; readonly gas: number }

/**
 * Floats lose digits and integers are rounded in the pool's favour: inflate by far more than both, and
 * by a little more than the checker does, whose sums run in another order.
 */
const BOUND_MARGIN = 1.001e-9
// A surplus is the small difference of what goes in and what comes out. Curves add up pieces, so
// these keep twelve digits and not all sixteen: the margin is a part of what is traded, not of what is left.
const TURNOVER_MARGIN = 1.1e-12
// Floats know a price to this part, so what a pool trades to this part of its depth, however deep it is.
const PRICE_DIGITS = 2e-15

/**
 * The bound at the prices in `problem`, after {@link respond} over all its edges. A route is either
 * one hop between the two tokens, whose worth is known, or takes at least two, and then
 *
 *   UB(ν) = A·ν_in − p·router + Σ over the L best of max(0, surplus_i − p·gas_i) − D
 *
 * where D is the least that the gas of its hops exceeds their surplus by: that of a path from the
 * source to the sink, and of two hops. `rest` are the edges beyond the problem.
 */
export function boundAt(
  problem: Problem,
  terms: Terms,
  rest: {
    readonly offers: readonly Offer[]
    readonly turnover: number
    readonly leastGas: number
  },
): Sum {
  const { gasCost, maxLegs, maxGas } = terms
  const m = problem.edges.length
  const worth: number[] = []
  // What a hop costs beyond what it earns.
  const cost = new Float64Array(m)
  let leastCost = Number.POSITIVE_INFINITY
  let leastGas = rest.leastGas
  let { turnover } = rest
  for (let i = 0; i < m; i++) {
    const gas = gasOf(problem, i)
    const νIn = problem.ν[problem.from[i]!]!
    // max over x of ν_out·h(x + extra) − ν_in·x is at most the surplus and what the extra input is worth.
    const net = problem.surplus[i]! + νIn * problem.extraIn[i]! - gasCost * gas
    if (net > 0) worth.push(net)
    turnover += νIn * problem.x[i]! + PRICE_DIGITS * problem.c[i]!
    cost[i] = Math.max(0, -net)
    leastCost = Math.min(leastCost, cost[i]!)
    leastGas = Math.min(leastGas, gas)
  }
  let outside = Number.isFinite(rest.leastGas) ? gasCost * rest.leastGas : rest.leastGas
  for (const { surplus, gas } of rest.offers) {
    if (surplus > gasCost * gas) worth.push(surplus - gasCost * gas)
    outside = Math.min(outside, Math.max(0, gasCost * gas - surplus))
  }
  const legs = Math.min(maxLegs, Math.max(1, Math.floor((maxGas - ROUTER_GAS) / leastGas)))
  const gross = problem.amount * problem.ν[problem.source]! + sumOfBest(worth, legs)
  // A path through a token beyond the problem takes two edges there.
  const least = Math.max(
    Math.min(cheapestPath(problem, cost), 2 * outside),
    2 * Math.min(leastCost, outside),
  )
  const direct = bestDirect(problem, gasCost)
  const fixed = gasCost * ROUTER_GAS
  return { amount: Math.max(gross - least, direct) - fixed, size: gross + least + fixed, turnover }
}

function sumOfBest(worth: readonly number[], count: number): number {
  const best = worth.slice()
  if (best.length > count) best.sort((a, b) => b - a).length = count
  return best.reduce((sum, value) => sum + value, 0)
}

/** The most that one hop from source to sink brings, less its gas. */
function bestDirect(problem: Problem, gasCost: number): number {
  const { from, to, edges, pieces, extraIn, amount, source, sink } = problem
  let best = Number.NEGATIVE_INFINITY
  for (let i = 0; i < edges.length; i++) {
    if (from[i] !== source || to[i] !== sink) continue
    best = Math.max(best, outOf(pieces[i]!, amount + extraIn[i]!) - gasCost * gasOf(problem, i))
  }
  return best
}

/** Least total cost of a path from source to sink. */
function cheapestPath({ bundles, u, source, sink }: Problem, cost: Float64Array): number {
  const { first, from, to } = bundles
  const least = new Float64Array(from.length).fill(Number.POSITIVE_INFINITY)
  for (let b = 0; b < from.length; b++) {
    for (let i = first[b]!; i < first[b + 1]!; i++) least[b] = Math.min(least[b]!, cost[i]!)
  }
  const total = new Float64Array(u.length).fill(Number.POSITIVE_INFINITY)
  total[source] = 0
  for (let isSettled = false; !isSettled; ) {
    isSettled = true
    for (let b = 0; b < from.length; b++) {
      const through = total[from[b]!]! + least[b]!
      if (through >= total[to[b]!]!) continue
      total[to[b]!] = through
      isSettled = false
    }
  }
  return Number.isFinite(total[sink]!) ? total[sink]! : 0
}

/**
 * A bound as an integer: inflated by {@link BOUND_MARGIN} of all it sums, added or taken off, by
 * {@link TURNOVER_MARGIN} of all that the edges trade, and by a wei, rounded up.
 */
export function roundBoundUp({ amount, size, turnover }: Sum): bigint {
  return BigInt(Math.ceil(amount + BOUND_MARGIN * size + TURNOVER_MARGIN * turnover + 1))
}
