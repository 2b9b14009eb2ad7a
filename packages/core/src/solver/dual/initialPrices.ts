/**
 * Initial dual prices by Bellman–Ford relaxation. Input: a problem. Output: `problem.u`, the rate
 * that a probe of the order gets from each token along its best path to the sink. Good first prices
 * save Newton steps.
 */

import type { Reference } from '../../reference/referencePrices.js'
import type { Problem } from '../network/problem.js'
import type { StartPrices } from '../options.js'
import { MAX_SWEEPS, PROBE } from '../tuning.js'

/**
 * Sets the initial prices of the dual. The price of a token is the given one if there is one, else
 * the rate of a probe along the best path to the sink. At such prices the edges of the best paths
 * just begin to trade, so the first Newton system already connects every token with the sink.
 * Returns whether a path leads from the source to the sink.
 */
export function setStartPrices(
  problem: Problem,
  reference: Reference,
  given: StartPrices,
): boolean {
  const { graph, tokens, u, source, sink } = problem
  const worth = worthOfProbe(problem, reference, PROBE)
  const isReached = worth[source]! > 0
  // Every path is too thin for the probe: start from spot prices.
  const start = isReached ? worth : worthOfProbe(problem, reference, 0)
  for (let k = 0; k < u.length; k++) {
    const relative = reference.price[tokens[k]!]! / reference.price[tokens[sink]!]!
    // Around an arbitrage cycle the sweeps would raise prices without end. The reference price caps
    // them.
    const worthHere = start[k]! > 0 ? Math.min(start[k]!, relative) : relative
    u[k] = given[graph.tokens[tokens[k]!]!] ?? Math.log(worthHere)
  }
  u[sink] = 0
  return start[source]! > 0
}

/** Sink units per unit of each token at the probe's size; 0 if no path leads to the sink. */
function worthOfProbe(problem: Problem, { price: reference }: Reference, part: number) {
  const { tokens, edges, from, to, γ, price, reserve, end, amount, source, sink } = problem
  const worth = new Float64Array(tokens.length)
  worth[sink] = 1
  const value = part * amount * reference[tokens[source]!]!
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    let isSettled = true
    for (let i = 0; i < edges.length; i++) {
      if (worth[to[i]!] === 0 || to[i] === source) continue
      const x = value / reference[tokens[from[i]!]!]!
      if (x > end[i]! && !(problem.pieces[i]!.price.length > 1)) continue
      const rate = (γ[i]! * price[i]!) / (1 + (γ[i]! * x) / reserve[i]!)
      const candidate = worth[to[i]!]! * rate
      if (candidate > worth[from[i]!]! * (1 + 1e-12)) {
        worth[from[i]!] = candidate
        isSettled = false
      }
    }
    if (isSettled) break
  }
  return worth
}
