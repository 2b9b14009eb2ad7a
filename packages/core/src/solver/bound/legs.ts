/**
 * The cap on legs in the bound. Input: what each edge is worth at some prices. Output: what the legs
 * of a route with several hops are worth together at most. A route has at most L of the best edges,
 * and it contains a path, whose edges count even if they are worth nothing.
 */
import type { Bundles, Problem } from '../network/problem.js'

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
 * Several hops contain a path of two to L hops, or two hops between the ends. The bound is convex in μ
 * with kinks at the w, and a bisection finds the best of them.
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
  const at = (legPrice: number): Legs & { readonly spare: number } => {
    const path = leastCosts(walks, legPrice, space)
    const options = [
      { cost: path.cost[sink]!, count: path.count[sink]! },
      costOf(parallel.length > 1 ? parallel.slice(0, 2) : [Number.NEGATIVE_INFINITY], legPrice),
      ...(beyond ? [costOf([beyond.best, beyond.best], legPrice)] : []),
    ]
    const { cost, count } = options.reduce((a, b) => (b.cost < a.cost ? b : a))
    let sum = legPrice > 0 ? legPrice * legs : 0
    let used = 0
    for (const one of earning) {
      if (one <= legPrice) continue
      sum += one - legPrice
      used++
    }
    const unpaid = Number.isFinite(cost) ? cost : 0
    return { sum, unpaid, legPrice, spare: legs - used - count }
  }
  let lowest = at(0)
  if (lowest.spare >= 0) return lowest
  earning.sort((a, b) => b - a)
  let [low, high] = [0, Math.min(legs, earning.length) - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const here = at(earning[middle]!)
    if (here.sum - here.unpaid < lowest.sum - lowest.unpaid) lowest = here
    if (here.spare > 0) low = middle + 1
    else high = middle - 1
  }
  return lowest
}

/** What some hops cost, and how many of them cost more if a leg does. */
type Cost = { readonly cost: number; readonly count: number }

function costOf(worth: readonly number[], legPrice: number): Cost {
  const costs = worth.map((one) => Math.max(0, legPrice - one))
  return {
    cost: costs.reduce((a, b) => a + b),
    count: worth.filter((one) => one <= legPrice).length,
  }
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
  const before = leastCosts({ from, to, start: source, ...walk }, 0, space).cost.slice()
  const after = leastCosts({ from: to, to: from, start: sink, ...walk }, 0, space).cost
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

/** Least costs by token, and how many hops of each walk cost more if a leg does. */
type Costs = { readonly cost: Float64Array; readonly count: Int32Array }

/** Costs of walks of some hops, and of those with one hop more. */
type Space = readonly [Costs, Costs]

function spaceFor(tokens: number): Space {
  const costs = () => ({ cost: new Float64Array(tokens), count: new Int32Array(tokens) })
  return [costs(), costs()]
}

/**
 * By token, the least cost of a walk of at most `hops` hops from the start, and how many of them cost
 * more if a leg does (Bellman–Ford). A hop costs what its bundle is worth less than a leg. If an `end`
 * is given, only its values are right: a walk that costs more than one to the end is not continued.
 */
function leastCosts(walks: Walks, legPrice: number, [first, second]: Space): Costs {
  const { from, to, start, end, hops, worth } = walks
  let [now, next] = [first, second]
  now.cost.fill(Number.POSITIVE_INFINITY)
  now.count.fill(0)
  now.cost[start] = 0
  let isSettled = false
  for (let n = 0; n < hops && !isSettled; n++) {
    const { cost, count } = now
    next.cost.set(cost)
    next.count.set(count)
    isSettled = true
    for (let b = 0; b < from.length; b++) {
      const [a, k] = [from[b]!, to[b]!]
      const through = cost[a]! + Math.max(0, legPrice - worth[b]!)
      if (through > next.cost[end ?? k]!) continue
      const counted = count[a]! + (worth[b]! <= legPrice ? 1 : 0)
      const isFewer = through === next.cost[k]! && counted < next.count[k]!
      if (!(through < next.cost[k]! || isFewer)) continue
      next.cost[k] = through
      next.count[k] = counted
      isSettled = false
    }
    ;[now, next] = [next, now]
  }
  return now
}
