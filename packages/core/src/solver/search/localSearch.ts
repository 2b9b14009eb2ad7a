/**
 * Local search with add and drop moves. Input: a selection of edges. Output: a selection of at
 * least the same value. It finds supports that greedy elimination alone cannot reach.
 */

import { solveArbitrage, solveArbitrageAt, solveEdge, tradingOf } from '../dual/arbitrage.js'
import { clearingPriceOf, edgesIn, priceUnusedTokens } from '../dual/clearingPrice.js'
import { gasAt } from '../network/gas.js'
import { incidenceOf } from '../network/incidence.js'
import type { Problem } from '../network/problem.js'
import { type Charges, prune, type Selection } from './prune.js'

const MAX_ROUNDS = 6
const MAX_INSERTIONS = 8
const LEAST_GAIN = 1e-8
// Pairs are tried among this many edges into a token and out of it.
const FEW = 4

/**
 * In each round, adds the most promising edges, and pairs of edges through a token not yet passed,
 * at the selection's own prices, then prunes again. Keeps the result if its value is higher. Rounds
 * alternate two rankings: arbitrage net of gas, if the offer is an addition, and gross arbitrage,
 * if it replaces another edge. `together` are the optimal prices over all edges. Leaves the problem
 * at the minimum over the selection returned.
 */
export function searchLocally(
  problem: Problem,
  dualPrices: Float64Array,
  first: Selection,
  charges: Charges,
): Selection {
  let best = first
  const prices = problem.u.slice()
  for (let round = 0, misses = 0; round < MAX_ROUNDS && misses < 2; round++) {
    problem.u.set(prices)
    const open = priceNeighbourhood(problem, dualPrices, best.edges)
    const offers = round % 2 === 0 ? byNetGain(problem, open, charges) : byArbitrage(problem, open)
    const legs = offers.slice(0, MAX_INSERTIONS).flatMap((offer) => offer.legs)
    misses++
    if (legs.length === 0) continue
    const trial = prune(problem, Int32Array.from([...best.edges, ...legs]), charges)
    if (trial.value <= best.value * (1 + LEAST_GAIN)) continue
    misses = 0
    best = trial
    prices.set(problem.u)
  }
  problem.u.set(prices)
  solveArbitrage(problem, best.edges)
  return best
}

/** The edges that a selection uses and the tokens that it passes. */
export type PricedSupport = { readonly isUsed: Uint8Array; readonly isPassed: Uint8Array }

/** Prices the tokens that the selection does not pass, and evaluates all edges at these prices. */
export function priceNeighbourhood(
  problem: Problem,
  together: Float64Array,
  used: Int32Array,
): PricedSupport {
  const { from, to, u, all, source, sink } = problem
  const isPassed = new Uint8Array(u.length)
  const isUsed = new Uint8Array(problem.edges.length)
  isPassed[source] = 1
  isPassed[sink] = 1
  for (const i of used) {
    isUsed[i] = 1
    isPassed[from[i]!] = 1
    isPassed[to[i]!] = 1
  }
  priceUnusedTokens(problem, isPassed, together)
  solveArbitrageAt(problem, all)
  return { isUsed, isPassed }
}

/** One or two edges to add, and the predicted gain. */
type Insertion = { readonly legs: readonly number[]; readonly worth: number }

/** Edges by surplus; a pair through another token by the mean surplus of its best two edges. */
function byArbitrage(problem: Problem, { isUsed, isPassed }: PricedSupport): readonly Insertion[] {
  const { from, to, surplus, u, all } = problem
  const into = new Int32Array(u.length).fill(-1)
  const out = new Int32Array(u.length).fill(-1)
  const offers: Insertion[] = []
  const isBetter = (i: number, j: number) => j < 0 || surplus[i]! > surplus[j]!
  const { edges, count } = tradingOf(problem, all)
  for (let s = 0; s < count; s++) {
    const i = edges[s]!
    if (isUsed[i] || !(surplus[i]! > 0)) continue
    const [a, b] = [from[i]!, to[i]!]
    if (isPassed[a] && isPassed[b]) offers.push({ legs: [i], worth: surplus[i]! })
    else if (isPassed[a] && isBetter(i, into[b]!)) into[b] = i
    else if (isPassed[b] && isBetter(i, out[a]!)) out[a] = i
  }
  for (let k = 0; k < u.length; k++) {
    const [i, o] = [into[k]!, out[k]!]
    if (i >= 0 && o >= 0) offers.push({ legs: [i, o], worth: (surplus[i]! + surplus[o]!) / 2 })
  }
  return byWorth(offers)
}

/**
 * Edges by surplus less gas, and through each other token the pair with the highest net surplus.
 */
function byNetGain(
  problem: Problem,
  open: PricedSupport,
  { gasCost }: Charges,
): readonly Insertion[] {
  const { from, to, surplus, u, all } = problem
  const { isUsed, isPassed } = open
  const offers: Insertion[] = []
  const { edges, count } = tradingOf(problem, all)
  for (let s = 0; s < count; s++) {
    const i = edges[s]!
    if (isUsed[i] || !isPassed[from[i]!] || !isPassed[to[i]!]) continue
    const worth = surplus[i]! - gasCost * gasAt(problem, i)
    if (worth > 0) offers.push({ legs: [i], worth })
  }
  for (let k = 0; k < u.length; k++) {
    const ends = isPassed[k] ? undefined : endsOf(problem, isPassed, k)
    if (!ends || !(ends.asked < ends.bid)) continue
    const into = mostAt(problem, k, ends.bid, edgesIn(problem, ends.into))
    const out = mostAt(problem, k, ends.asked, edgesIn(problem, ends.out))
    const pair = bestPair(problem, k, { into, out, gasCost })
    if (pair && pair.worth > 0) offers.push(pair)
  }
  return byWorth(offers)
}

/** The bundles between token k and the passed tokens, and the best log ask and bid for k. */
function endsOf({ u, bundles }: Problem, isPassed: Uint8Array, k: number) {
  const { first, edges, others, leadsOut } = incidenceOf(bundles, u.length)
  const into: number[] = []
  const out: number[] = []
  let asked = Number.POSITIVE_INFINITY
  let bid = Number.NEGATIVE_INFINITY
  for (let s = first[k]!; s < first[k + 1]!; s++) {
    const other = others[s]!
    const b = edges[s]!
    if (!isPassed[other]) continue
    if (leadsOut[s]) {
      out.push(b)
      bid = Math.max(bid, u[other]! + bundles.logSpot[b]!)
    } else {
      into.push(b)
      asked = Math.min(asked, u[other]! - bundles.logSpot[b]!)
    }
  }
  return { into, out, asked, bid }
}

/** The few edges at token k with the highest surplus at a given log price of k. */
function mostAt(
  problem: Problem,
  k: number,
  logPrice: number,
  edges: readonly number[],
): readonly number[] {
  if (edges.length <= FEW) return edges
  const { ν } = problem
  const price = ν[k]!
  ν[k] = Math.exp(logPrice)
  const surplus = new Map(edges.map((i) => [i, solveEdge(problem, i)]))
  ν[k] = price
  return edges.toSorted((a, b) => surplus.get(b)! - surplus.get(a)! || a - b).slice(0, FEW)
}

/**
 * The pair of edges through token k, at the price that balances the two, with the best net surplus.
 */
function bestPair(
  problem: Problem,
  k: number,
  way: {
    readonly into: readonly number[]
    readonly out: readonly number[]
    readonly gasCost: number
  },
): Insertion | undefined {
  const { u, ν, from, to, logSpot } = problem
  const price = u[k]!
  let best: Insertion | undefined
  for (const i of way.into) {
    for (const o of way.out) {
      const isOpen = logSpot[i]! + logSpot[o]! > u[from[i]!]! - u[to[o]!]!
      if (!isOpen || to[o] === from[i]) continue
      u[k] = clearingPriceOf(problem, i, o, k)
      ν[k] = Math.exp(u[k]!)
      const surplus = solveEdge(problem, i) + solveEdge(problem, o)
      const worth = surplus - way.gasCost * (gasAt(problem, i) + gasAt(problem, o))
      if (!best || worth > best.worth) best = { legs: [i, o], worth }
    }
  }
  u[k] = price
  return best
}

function byWorth(offers: readonly Insertion[]): readonly Insertion[] {
  return offers.toSorted((a, b) => b.worth - a.worth || a.legs[0]! - b.legs[0]!)
}
