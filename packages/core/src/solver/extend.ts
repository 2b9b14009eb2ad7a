import { inputAtOf, outOf } from '../math/pieces.js'
import type { Problem } from './problem.js'

const SWEEPS = 1
// The price is found to this many halvings of the gap between ask and bid: what is left of the
// arbitrage falls with the square.
const BISECTIONS = 8

/**
 * Prices the tokens off the edges in use, beginning at `prices`, which fit all edges together: each
 * is moved between what the market pays for it and what it asks, or, where it pays more than it
 * asks, to where the two flows balance. That leaves the least arbitrage, so the bound stays tight
 * and the surplus of an edge says what adding it would bring. `edges` are all edges that lead on.
 */
export function extendPrices(
  problem: Problem,
  edges: Int32Array,
  isUsed: Uint8Array,
  prices: Float64Array,
): void {
  const { u } = problem
  const touching = touchingOf(problem, edges)
  for (let k = 0; k < u.length; k++) if (!isUsed[k]) u[k] = prices[k]!
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let k = 0; k < u.length; k++) {
      if (!isUsed[k] && touching[k]!.length > 0) u[k] = balance(problem, touching[k]!, k)
    }
  }
}

// The same edges are asked for round after round.
const known = new WeakMap<Int32Array, readonly Int32Array[]>()

/** Per token, those of the edges that begin or end there. */
function touchingOf({ from, to, u }: Problem, edges: Int32Array): readonly Int32Array[] {
  const made = known.get(edges)
  if (made) return made
  const first = new Int32Array(u.length + 1)
  for (let s = 0; s < edges.length; s++) {
    first[from[edges[s]!]! + 1]!++
    first[to[edges[s]!]! + 1]!++
  }
  for (let k = 0; k < u.length; k++) first[k + 1]! += first[k]!
  const next = first.slice()
  const all = new Int32Array(2 * edges.length)
  for (let s = 0; s < edges.length; s++) {
    all[next[from[edges[s]!]!]!++] = edges[s]!
    all[next[to[edges[s]!]!]!++] = edges[s]!
  }
  const touching = Array.from(u, (_, k) => all.subarray(first[k], first[k + 1]))
  known.set(edges, touching)
  return touching
}

/** The price (log) of token k at which the flows of `edges`, which all begin or end there, balance best. */
export function balance(problem: Problem, edges: ArrayLike<number>, k: number): number {
  const { u, from, to, logSpot } = problem
  let bid = Number.NEGATIVE_INFINITY
  let ask = Number.POSITIVE_INFINITY
  for (let s = 0; s < edges.length; s++) {
    const i = edges[s]!
    if (from[i] === k) bid = Math.max(bid, u[to[i]!]! + logSpot[i]!)
    else ask = Math.min(ask, u[from[i]!]! - logSpot[i]!)
  }
  // Anywhere between is as good; the nearest to where it stands disturbs its neighbours least.
  if (bid <= ask) return Math.min(Math.max(u[k]!, bid), ask)
  let [low, high] = [ask, bid]
  for (let n = 0; n < BISECTIONS; n++) {
    const middle = (low + high) / 2
    u[k] = middle
    if (netFlow(problem, edges, k) > 0) high = middle
    else low = middle
  }
  return (low + high) / 2
}

/** What comes in less what goes out of token k at the prices in u; rises with its price. */
function netFlow(problem: Problem, edges: ArrayLike<number>, k: number): number {
  const { u, from, to, logSpot, pieces } = problem
  let net = 0
  for (let s = 0; s < edges.length; s++) {
    const i = edges[s]!
    const logRatio = u[from[i]!]! - u[to[i]!]!
    if (!(logSpot[i]! > logRatio)) continue
    const ratio = Math.exp(logRatio)
    const x = inputAtOf(pieces[i]!, ratio)
    net += from[i] === k ? -x : outOf(pieces[i]!, x)
  }
  return net
}
