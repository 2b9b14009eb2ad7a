import { inputAtOf, outOf } from '../math/pieces.js'
import type { Problem } from './problem.js'

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
  const { u, bundles } = problem
  const { bundlesAt, edgesAt } = touchingOf(problem)
  for (let k = 0; k < u.length; k++) if (!isUsed[k]) u[k] = prices[k]!
  for (let k = 0; k < u.length; k++) {
    if (isUsed[k] || edgesAt[k]!.length === 0) continue
    let bid = Number.NEGATIVE_INFINITY
    let ask = Number.POSITIVE_INFINITY
    for (const b of bundlesAt[k]!) {
      if (bundles.from[b] === k) bid = Math.max(bid, u[bundles.to[b]!]! + bundles.logSpot[b]!)
      else ask = Math.min(ask, u[bundles.from[b]!]! - bundles.logSpot[b]!)
    }
    u[k] = between(problem, edgesAt[k]!, k, { ask, bid })
  }
}

/** Per token, the edges and bundles that begin or end there. */
type Touching = {
  readonly edgesAt: readonly Int32Array[]
  readonly bundlesAt: readonly Int32Array[]
}

// The same problem is priced round after round.
const known = new WeakMap<Int32Array, Touching>()

function touchingOf({ all, from, to, bundles, u }: Problem): Touching {
  const made = known.get(all)
  if (made) return made
  const edgesAt = touching(from, to, u.length)
  const bundlesAt = touching(bundles.from, bundles.to, u.length)
  known.set(all, { edgesAt, bundlesAt })
  return { edgesAt, bundlesAt }
}

function touching(from: Int32Array, to: Int32Array, tokens: number): readonly Int32Array[] {
  const first = new Int32Array(tokens + 1)
  for (let i = 0; i < from.length; i++) {
    first[from[i]! + 1]!++
    first[to[i]! + 1]!++
  }
  for (let k = 0; k < tokens; k++) first[k + 1]! += first[k]!
  const next = first.slice()
  const all = new Int32Array(2 * from.length)
  for (let i = 0; i < from.length; i++) {
    all[next[from[i]!]!++] = i
    all[next[to[i]!]!++] = i
  }
  return Array.from({ length: tokens }, (_, k) => all.subarray(first[k], first[k + 1]))
}

/** The price (log) of token k at which two edges, one into it and one out of it, balance best. */
export function balance(problem: Problem, into: number, out: number, k: number): number {
  const { u, from, to, logSpot } = problem
  const ask = u[from[into]!]! - logSpot[into]!
  const bid = u[to[out]!]! + logSpot[out]!
  return between(problem, [into, out], k, { ask, bid })
}

/** The price of token k between what is asked and what is paid for it, or where its flows balance. */
function between(
  problem: Problem,
  edges: ArrayLike<number>,
  k: number,
  { ask, bid }: { readonly ask: number; readonly bid: number },
): number {
  const { u, from, to, logSpot } = problem
  // Anywhere between is as good; the nearest to where it stands disturbs its neighbours least.
  if (bid <= ask) return Math.min(Math.max(u[k]!, bid), ask)
  // Only these trade at some price between.
  const near: number[] = []
  for (let s = 0; s < edges.length; s++) {
    const i = edges[s]!
    const isNear = from[i] === k ? u[to[i]!]! + logSpot[i]! > ask : u[from[i]!]! - logSpot[i]! < bid
    if (isNear) near.push(i)
  }
  let [low, high] = [ask, bid]
  for (let n = 0; n < BISECTIONS; n++) {
    const middle = (low + high) / 2
    u[k] = middle
    if (netFlow(problem, near, k) > 0) high = middle
    else low = middle
  }
  return (low + high) / 2
}

/** What comes in less what goes out of token k at the prices in u; rises with its price. */
function netFlow(problem: Problem, edges: readonly number[], k: number): number {
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
