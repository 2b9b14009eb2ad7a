/**
 * The cap on legs in the bound. Input: what each edge is worth at some prices. Output: what the legs
 * of a route with several hops are worth together at most. A route has at most L of the best edges,
 * and it contains a path, whose edges count even if they are worth nothing.
 */
import type { Bundles, Problem } from '../network/problem.js'
import { LEG_PRICES_TRIED } from '../tuning.js'

/** What the edges of a route with several hops are worth at most, and the price of a leg. */
export type Legs = {
  /** Σ (w − μ)⁺ + μ·L. */
  readonly sum: number
  /** The least Σ (w − μ)⁻ of such a route; infinite if there is none. */
  readonly unpaid: number
  /** μ, in units of the token out. */
  readonly legPrice: number
}

/** Edges of which only the worth is known. */
export type Beyond = {
  readonly worth: readonly number[]
  /** Not below the worth of any edge beyond. */
  readonly best: number
}

type Ends = Pick<Problem, 'tokens' | 'source' | 'sink'> & {
  readonly bundles: Pick<Bundles, 'first' | 'from' | 'to'>
}

/**
 * The lowest bound on the worth of several hops over prices μ ≥ 0 of a leg. For any μ, the edges of a
 * route S with at most L of them are worth at most
 *
 *   Σ over S of (w − μ) + μ·L ≤ Σ over all edges of (w − μ)⁺ + μ·L − least Σ over S of (w − μ)⁻
 *
 * Several hops contain a path of two to L hops, or two hops between the ends. Apart from its cost the bound
 * is lowest at the L-th best w. The path uses up legs too, so that a slightly larger w is often better.
 */
export function boundLegs(ends: Ends, worth: Float64Array, legs: number, beyond?: Beyond): Legs {
  const { source, sink, tokens, bundles } = ends
  const { first, from, to } = bundles
  const size = tokens.length
  const before = leastCosts({ from, to, size, start: source }, size, () => 1)
  const after = leastCosts({ from: to, to: from, size, start: sink }, size, () => 1)
  const best: number[] = []
  const parallel: number[] = []
  const earning = beyond ? beyond.worth.filter((one) => one > 0) : []
  for (let b = 0; b < from.length; b++) {
    best.push(Number.NEGATIVE_INFINITY)
    // Walks through tokens outside may be shorter.
    if (!beyond && !(before[from[b]!]! + 1 + after[to[b]!]! <= legs)) continue
    const isDirect = from[b] === source && to[b] === sink
    for (let i = first[b]!; i < first[b + 1]!; i++) {
      if (worth[i]! > 0) earning.push(worth[i]!)
      if (isDirect) parallel.push(worth[i]!)
      else if (worth[i]! > best[b]!) best[b] = worth[i]!
    }
  }
  parallel.sort((a, b) => b - a)
  earning.sort((a, b) => b - a)
  const pairs = [parallel.slice(0, 2), ...(beyond ? [[beyond.best, beyond.best]] : [])]
  const at = (legPrice: number): Legs => {
    const costOf = (one: number) => Math.max(0, legPrice - one)
    const costs = leastCosts({ from, to, size, start: source }, legs, (b) => costOf(best[b]!))
    const cost = pairs
      .filter(({ length }) => length === 2)
      .reduce((least, [one, other]) => Math.min(least, costOf(one!) + costOf(other!)), costs[sink]!)
    let sum = legPrice * (legPrice > 0 ? legs : 0)
    for (const one of earning) sum += Math.max(0, one - legPrice)
    return { sum, unpaid: cost, legPrice }
  }
  const prices = [0, ...earning.slice(Math.max(0, legs - LEG_PRICES_TRIED), legs)]
  return prices.map(at).reduce((a, b) => (b.sum - b.unpaid < a.sum - a.unpaid ? b : a))
}

/** Bundles between a number of tokens, and the token at which walks start. */
type Walks = Pick<Bundles, 'from' | 'to'> & { readonly size: number; readonly start: number }

/** By token, the least cost of a walk of at most `hops` hops from the start (Bellman–Ford). */
function leastCosts(
  { from, to, size, start }: Walks,
  hops: number,
  costOf: (b: number) => number,
): readonly number[] {
  let now: number[] = new Array(size).fill(Number.POSITIVE_INFINITY)
  now[start] = 0
  for (let n = 0; n < hops; n++) {
    const next = now.slice()
    for (let b = 0; b < from.length; b++) {
      const through = now[from[b]!]! + costOf(b)
      if (through < next[to[b]!]!) next[to[b]!] = through
    }
    if (next.every((cost, k) => cost === now[k])) break
    now = next
  }
  return now
}
