import type { Problem } from './problem.js'
import { respondEdge } from './respond.js'

// The price is found to this many halvings of the gap between ask and bid: what is left of the
// arbitrage falls with the square.
const BISECTIONS = 8

/**
 * Prices the tokens off the edges in use, beginning at `prices`, which fit all edges together: each
 * is moved between what the market pays for it and what it asks, or, where it pays more than it
 * asks, to where the two flows balance. That leaves the least arbitrage, so the bound stays tight
 * and the surplus of an edge says what adding it would bring.
 */
export function extendPrices(problem: Problem, isUsed: Uint8Array, prices: Float64Array): void {
  const { u, ν, bundles } = problem
  const at = bundlesAt(problem)
  for (let k = 0; k < u.length; k++) {
    if (!isUsed[k]) u[k] = prices[k]!
    ν[k] = Math.exp(u[k]!)
  }
  for (let k = 0; k < u.length; k++) {
    if (isUsed[k] || at.first[k] === at.first[k + 1]) continue
    let bid = Number.NEGATIVE_INFINITY
    let ask = Number.POSITIVE_INFINITY
    for (let s = at.first[k]!; s < at.first[k + 1]!; s++) {
      const b = at.bundles[s]!
      if (bundles.from[b] === k) bid = Math.max(bid, u[bundles.to[b]!]! + bundles.logSpot[b]!)
      else ask = Math.min(ask, u[bundles.from[b]!]! - bundles.logSpot[b]!)
    }
    u[k] =
      bid <= ask ? clamp(u[k]!, bid, ask) : meet(problem, nearAt(problem, k, ask, bid), k, ask, bid)
    ν[k] = Math.exp(u[k]!)
  }
}

/** The edges that trade at some price of token k between what is asked and what is paid for it. */
function nearAt(problem: Problem, k: number, ask: number, bid: number): readonly number[] {
  const { u, bundles } = problem
  const at = bundlesAt(problem)
  const isNear = (ends: Pick<Problem, 'from' | 'to' | 'logSpot'>, i: number) =>
    ends.from[i] === k
      ? u[ends.to[i]!]! + ends.logSpot[i]! > ask
      : u[ends.from[i]!]! - ends.logSpot[i]! < bid
  const near: number[] = []
  for (let s = at.first[k]!; s < at.first[k + 1]!; s++) {
    const b = at.bundles[s]!
    if (!isNear(bundles, b)) continue
    for (let i = bundles.first[b]!; i < bundles.first[b + 1]!; i++) {
      if (isNear(problem, i)) near.push(i)
    }
  }
  return near
}

/** Per token, the bundles that begin or end there: `first[k]` up to `first[k + 1]`. */
type At = { readonly first: Int32Array; readonly bundles: Int32Array }

// The same problem is priced round after round.
const known = new WeakMap<Int32Array, At>()

/** What begins or ends at each token. */
export function bundlesAt({ all, bundles, u }: Problem): At {
  const made = known.get(all)
  if (made) return made
  const { from, to } = bundles
  const first = new Int32Array(u.length + 1)
  for (let b = 0; b < from.length; b++) {
    first[from[b]! + 1]!++
    first[to[b]! + 1]!++
  }
  for (let k = 0; k < u.length; k++) first[k + 1]! += first[k]!
  const next = first.slice()
  const touching = new Int32Array(2 * from.length)
  for (let b = 0; b < from.length; b++) {
    touching[next[from[b]!]!++] = b
    touching[next[to[b]!]!++] = b
  }
  const at = { first, bundles: touching }
  known.set(all, at)
  return at
}

/** The price (log) of token k at which two edges, one into it and one out of it, balance best. */
export function balance(problem: Problem, into: number, out: number, k: number): number {
  const { u, from, to, logSpot } = problem
  const ask = u[from[into]!]! - logSpot[into]!
  const bid = u[to[out]!]! + logSpot[out]!
  return bid <= ask ? clamp(u[k]!, bid, ask) : meet(problem, [into, out], k, ask, bid)
}

/** Anywhere between is as good; the nearest to where a price stands disturbs its neighbours least. */
function clamp(price: number, least: number, most: number): number {
  return Math.min(Math.max(price, least), most)
}

/** The price between where the flows of token k balance; leaves it anywhere between. */
function meet(
  problem: Problem,
  edges: readonly number[],
  k: number,
  ask: number,
  bid: number,
): number {
  let [low, high] = [ask, bid]
  for (let n = 0; n < BISECTIONS; n++) {
    const middle = (low + high) / 2
    problem.ν[k] = Math.exp(middle)
    if (netFlow(problem, edges, k) > 0) high = middle
    else low = middle
  }
  return (low + high) / 2
}

/** What comes in less what goes out of token k at the prices ν; rises with its price. */
function netFlow(problem: Problem, edges: readonly number[], k: number): number {
  const { from, x, y } = problem
  let net = 0
  for (let s = 0; s < edges.length; s++) {
    const i = edges[s]!
    respondEdge(problem, i)
    net += from[i] === k ? -x[i]! : y[i]!
  }
  return net
}
