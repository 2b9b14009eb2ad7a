import type { Address, Hex } from '../hex.js'
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
  /** Part of the gas charged edge by edge; the rest is charged as the cheapest path's. */
  readonly gasShare: number
  /** Pools off the market, which the bound counts only where they trade the order's own pair. */
  readonly setAside: readonly Hex[]
  /** Pools that the order excluded. */
  readonly excluded: readonly Hex[]
}

/** What an edge would earn at the prices, and the gas it takes. */
export type Offer = { readonly surplus: number; readonly gas: number }

/** Floats lose digits and integers are rounded in the pool's favour: inflate by far more than both. */
const BOUND_MARGIN = 1e-9

const GAS_SHARES = [0, 0.25, 0.5, 0.75, 1]

/**
 * The bound at the prices in `problem`, after {@link respond} over all its edges:
 *
 *   UB(ν) = A·ν_in + Σ over the L best of max(0, surplus_i − θ·p·gas_i) − p·(router + (1 − θ)·gasMin)
 *
 * for any θ in [0, 1], as a route of at most L hops earns from at most L edges, pays every hop's
 * gas and at least that of the cheapest path. `rest` are surpluses of edges beyond the problem.
 */
export function boundAt(
  problem: Problem,
  terms: Terms,
  rest: readonly Offer[] = [],
): { readonly amount: number; readonly gross: number; readonly gasShare: number } {
  const base = problem.amount * problem.ν[problem.source]!
  const offers = rest.slice()
  for (let i = 0; i < problem.edges.length; i++) {
    if (problem.surplus[i]! > 0)
      offers.push({ surplus: problem.surplus[i]!, gas: gasOf(problem, i) })
  }
  const p = terms.gasCost
  const legs = legsWithin(problem, terms)
  const gasMin = p > 0 ? cheapestPathGas(problem) : 0
  let best = { amount: Number.POSITIVE_INFINITY, gross: 0, gasShare: 0 }
  for (const gasShare of p > 0 ? GAS_SHARES : [0]) {
    const fixed = p * (ROUTER_GAS + (1 - gasShare) * gasMin)
    const worth = offers.map(({ surplus, gas }) => surplus - gasShare * p * gas)
    const gross = base + sumOfBest(worth, legs)
    if (gross - fixed < best.amount) best = { amount: gross - fixed, gross, gasShare }
  }
  return best
}

/** Most hops that the cap on legs and the cap on gas leave. */
function legsWithin(problem: Problem, { maxLegs, maxGas }: Terms): number {
  let cheapest = Number.POSITIVE_INFINITY
  for (let i = 0; i < problem.edges.length; i++) cheapest = Math.min(cheapest, gasOf(problem, i))
  return Math.min(maxLegs, Math.max(1, Math.floor((maxGas - ROUTER_GAS) / cheapest)))
}

function sumOfBest(worth: readonly number[], count: number): number {
  const positive = worth.filter((value) => value > 0)
  if (positive.length > count) positive.sort((a, b) => b - a).length = count
  return positive.reduce((sum, value) => sum + value, 0)
}

function cheapestPathGas(problem: Problem): number {
  const { from, to, edges, u, source, sink } = problem
  const gas = new Float64Array(u.length).fill(Number.POSITIVE_INFINITY)
  gas[source] = 0
  for (let isSettled = false; !isSettled; ) {
    isSettled = true
    for (let i = 0; i < edges.length; i++) {
      const through = gas[from[i]!]! + gasOf(problem, i)
      if (through >= gas[to[i]!]!) continue
      gas[to[i]!] = through
      isSettled = false
    }
  }
  return Number.isFinite(gas[sink]!) ? gas[sink]! : 0
}

/** A bound as an integer: inflated by {@link BOUND_MARGIN} of what it sums and a wei, rounded up. */
export function roundBoundUp({ amount, gross }: { amount: number; gross: number }): bigint {
  return BigInt(Math.ceil(amount + BOUND_MARGIN * gross + 1))
}
