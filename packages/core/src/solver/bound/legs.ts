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
  /** The least Σ (w − μ)⁻ of such a route. */
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
  const { source, sink } = ends
  const { first, from, to } = ends.bundles
  const { isWithin, space, best } = sharedOf(ends, beyond ? Number.POSITIVE_INFINITY : legs)
  best.fill(Number.NEGATIVE_INFINITY)
  const parallel: number[] = []
  const earning: number[] = []
  for (let b = 0; b < from.length; b++) {
    if (!isWithin[b]) continue
    const isDirect = from[b] === source && to[b] === sink
    for (let i = first[b]!; i < first[b + 1]!; i++) {
      if (worth[i]! > 0) earning.push(worth[i]!)
      if (isDirect) parallel.push(worth[i]!)
      else if (worth[i]! > best[b]!) best[b] = worth[i]!
    }
  }
  for (const one of beyond?.worth ?? []) if (one > 0) earning.push(one)
  parallel.sort((a, b) => b - a)
  const walks = { from, to, start: source, end: sink, hops: legs, worth: best }
  earning.sort((a, b) => b - a)
  const at = (legPrice: number): Legs => {
    const pairs = [parallel.slice(0, 2), ...(beyond ? [[beyond.best, beyond.best]] : [])]
    const costs = pairs
      .filter(({ length }) => length === 2)
      .map(([one, other]) => Math.max(0, legPrice - one!) + Math.max(0, legPrice - other!))
    const cost = Math.min(leastCosts(walks, legPrice, space)[sink]!, ...costs)
    let sum = legPrice * (legPrice > 0 ? legs : 0)
    for (const one of earning) sum += Math.max(0, one - legPrice)
    return { sum, unpaid: Number.isFinite(cost) ? cost : 0, legPrice }
  }
  const prices = [0, ...earning.slice(Math.max(0, legs - LEG_PRICES_TRIED), legs)]
  return prices.map(at).reduce((a, b) => (b.sum - b.unpaid < a.sum - a.unpaid ? b : a))
}

/** What bounds at all prices share. Off the heap each array is work for the collector, and there are many. */
type Shared = {
  readonly legs: number
  readonly isWithin: Uint8Array
  readonly space: Space
  readonly best: Float64Array
}

const known = new WeakMap<Int32Array, Shared>()

/** Per bundle, whether it is on a walk of at most `legs` hops between the ends; and space for costs. */
function sharedOf({ source, sink, tokens, bundles }: Ends, legs: number): Shared {
  const { from, to } = bundles
  const made = known.get(from)
  if (made?.legs === legs) return made
  const walk = { worth: new Float64Array(from.length).fill(-1), hops: Number.POSITIVE_INFINITY }
  const space = spaceFor(tokens.length)
  const before = leastCosts({ from, to, start: source, ...walk }, 0, space).slice()
  const after = leastCosts({ from: to, to: from, start: sink, ...walk }, 0, space)
  const isWithin = new Uint8Array(from.length)
  for (let b = 0; b < from.length; b++) {
    isWithin[b] = before[from[b]!]! + 1 + after[to[b]!]! <= legs ? 1 : 0
  }
  const shared = { legs, isWithin, space, best: new Float64Array(from.length) }
  known.set(from, shared)
  return shared
}

type Walks = Pick<Bundles, 'from' | 'to'> & {
  readonly start: number
  readonly end?: number
  readonly hops: number
  /** By bundle, the worth of its best edge. */
  readonly worth: Float64Array
}

/** Costs of walks of some hops, and of those with one hop more. */
type Space = readonly [Float64Array, Float64Array]

function spaceFor(tokens: number): Space {
  return [new Float64Array(tokens), new Float64Array(tokens)]
}

/**
 * By token, the least cost of a walk of at most `hops` hops from the start (Bellman–Ford). A hop costs
 * what its bundle is worth less than a leg. If an `end` is given, only its values are right: a walk that
 * costs more than one to the end is not continued.
 */
function leastCosts(walks: Walks, legPrice: number, [first, second]: Space): Float64Array {
  const { from, to, start, end, hops, worth } = walks
  let [now, next] = [first, second]
  now.fill(Number.POSITIVE_INFINITY)
  now[start] = 0
  let isSettled = false
  for (let n = 0; n < hops && !isSettled; n++) {
    next.set(now)
    isSettled = true
    for (let b = 0; b < from.length; b++) {
      const k = to[b]!
      const through = now[from[b]!]! + Math.max(0, legPrice - worth[b]!)
      if (through >= next[end ?? k]! || through >= next[k]!) continue
      next[k] = through
      isSettled = false
    }
    ;[now, next] = [next, now]
  }
  return now
}
