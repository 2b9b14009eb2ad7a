import type { Problem } from './problem.js'
import type { Reference } from './reference.js'
import type { StartPrices } from './select.js'

// Prices are probed with this part of the amount, so that a pool too thin for it sets none.
const PROBE = 1 / 16
const MAX_SWEEPS = 12

/**
 * Sets the prices that the dual starts from: a given vector where it has the token, else what a
 * probe of the order brings from each token to the sink along its best path. At such prices the
 * edges of the best paths just begin to trade, so the first Newton system already connects every
 * token with the sink. Answers whether any path leads from the source to the sink.
 */
export function setStartPrices(
  problem: Problem,
  reference: Reference,
  given: StartPrices | undefined,
): boolean {
  const { graph, tokens, u, source, sink } = problem
  const worth = worthOfProbe(problem, reference, PROBE)
  const isReached = worth[source]! > 0
  // Too thin for the probe at every turn: begin from spot prices.
  const start = isReached ? worth : worthOfProbe(problem, reference, 0)
  for (let k = 0; k < u.length; k++) {
    const relative = reference.price[tokens[k]!]! / reference.price[tokens[sink]!]!
    // Round an arbitrage the sweeps would go up and up: no token is worth more than the market says.
    const worthHere = start[k]! > 0 ? Math.min(start[k]!, relative) : relative
    u[k] = given?.[graph.tokens[tokens[k]!]!] ?? Math.log(worthHere)
  }
  u[sink] = 0
  return start[source]! > 0
}

/** Sink units that one unit of each token brings at the probe's size; 0 where no path leads on. */
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
