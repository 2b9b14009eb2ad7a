import type { Hex } from '../hex.js'
import type { Offer } from './bound.js'
import type { Problem } from './problem.js'
import type { Reference } from './reference.js'

const BISECTIONS = 8
// What a token must promise, as part of the output, to be worth solving with.
const PROMISING = 1e-7
const MOST_PROMISING = 24

/** What lies beyond a problem: prices for the tokens left out of it, and what their edges earn. */
export type Rest = {
  readonly offers: readonly Offer[]
  /** Least gas of an edge left out; infinite if none is. */
  readonly leastGas: number
  /** ln ν by graph number of the token. */
  readonly prices: ReadonlyMap<number, number>
  /** Tokens whose edges earn most, worth adding to the problem. */
  readonly promising: readonly number[]
}

/**
 * Prices the tokens that the problem leaves out so that they earn least: between bid and ask
 * where there is room, else where what the one buys the other sells. Tokens far out are priced after
 * those nearer. At these prices the bound covers every edge that an acyclic route could use.
 */
export function priceRest(
  problem: Problem,
  reference: Reference,
  excludedPools: ReadonlySet<Hex> | undefined,
): Rest {
  const { graph, tokens, u, amount, ν, source, beyond: left } = problem
  if (left.length === 0) {
    return { offers: [], leastGas: Number.POSITIVE_INFINITY, prices: new Map(), promising: [] }
  }
  const isLocal = new Uint8Array(graph.tokens.length)
  const price = new Float64Array(graph.tokens.length).fill(Number.NaN)
  for (let k = 0; k < tokens.length; k++) {
    price[tokens[k]!] = u[k]!
    isLocal[tokens[k]!] = 1
  }
  const edgesAt = usableAt(problem, reference, excludedPools)
  // Outwards until no further token is reached, and once more with all neighbours priced.
  for (let unpriced = left.length + 1, now = left.length; now < unpriced; ) {
    unpriced = now
    for (const k of left) price[k] = balance(problem, price, k, edgesAt.get(k)!)
    now = left.filter((k) => Number.isNaN(price[k]!)).length
  }
  const earned = new Map<number, number>()
  const offers: Offer[] = []
  let leastGas = Number.POSITIVE_INFINITY
  for (const k of left) {
    for (const e of edgesAt.get(k)!) {
      leastGas = Math.min(leastGas, graph.gas[e]!)
      const surplus = surplusOf(problem, price, e)
      if (surplus <= 0) continue
      // An edge between two tokens left out is met from both: count it at its token in.
      const other = graph.from[e] === k ? graph.to[e]! : graph.from[e]!
      if (isLocal[other] || graph.from[e] === k) offers.push({ surplus, gas: graph.gas[e]! })
      earned.set(k, (earned.get(k) ?? 0) + surplus)
    }
  }
  const least = PROMISING * amount * ν[source]!
  const promising = [...earned]
    .filter(([, value]) => value > least)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, MOST_PROMISING)
    .map(([k]) => k)
  const priced = left.filter((k) => !Number.isNaN(price[k]!))
  return { offers, leastGas, prices: new Map(priced.map((k) => [k, price[k]!])), promising }
}

type EdgesAt = ReadonlyMap<number, readonly number[]>

// A problem's rest is priced two or three times over; what lies there is the same each time.
const known = new WeakMap<Problem, EdgesAt>()

/** Per token left out, the edges to and from it that an acyclic route could use. */
function usableAt(
  problem: Problem,
  { isClean }: Reference,
  excludedPools: ReadonlySet<Hex> | undefined,
): EdgesAt {
  const made = known.get(problem)
  if (made) return made
  const { graph, tokens, source, sink, beyond } = problem
  const isOnWay = new Uint8Array(graph.tokens.length)
  for (const k of tokens) isOnWay[k] = 1
  for (const k of beyond) isOnWay[k] = 1
  const [start, end] = [tokens[source]!, tokens[sink]!]
  const isUsable = (e: number) =>
    isClean[e] === 1 &&
    isOnWay[graph.from[e]!] === 1 &&
    isOnWay[graph.to[e]!] === 1 &&
    graph.to[e] !== start &&
    graph.from[e] !== end &&
    !excludedPools?.has(graph.edges[e]!.pool.id)
  const edgesAt = new Map(beyond.map((k) => [k, touching(problem, k).filter(isUsable)]))
  known.set(problem, edgesAt)
  return edgesAt
}

/** Edges out of a token and, by the same pools, into it. */
function touching({ graph }: Problem, k: number): readonly number[] {
  const edges: number[] = []
  for (let e = graph.firstFrom[k]!; e < graph.firstFrom[k + 1]!; e++) {
    edges.push(e)
    for (const s of graph.edgesOfPool[graph.poolOf[e]!]!) {
      if (graph.to[s] === k && graph.from[s] === graph.to[e]) edges.push(s)
    }
  }
  return edges
}

function balance(
  problem: Problem,
  price: Float64Array,
  k: number,
  edges: readonly number[],
): number {
  const { graph } = problem
  let bid = Number.NEGATIVE_INFINITY
  let ask = Number.POSITIVE_INFINITY
  for (const e of edges) {
    const isOut = graph.from[e] === k
    const other = price[isOut ? graph.to[e]! : graph.from[e]!]!
    if (Number.isNaN(other)) continue
    const spot = Math.log(graph.spot[e]!)
    if (isOut) bid = Math.max(bid, other + spot)
    else ask = Math.min(ask, other - spot)
  }
  if (bid === Number.NEGATIVE_INFINITY && ask === Number.POSITIVE_INFINITY) return Number.NaN
  if (!Number.isFinite(bid)) return ask
  if (!Number.isFinite(ask)) return bid
  if (bid <= ask) return (bid + ask) / 2
  let [low, high] = [ask, bid]
  for (let n = 0; n < BISECTIONS; n++) {
    const middle = (low + high) / 2
    price[k] = middle
    let net = 0
    for (const e of edges) {
      const ratio = Math.exp(price[graph.from[e]!]! - price[graph.to[e]!]!)
      if (!(graph.spot[e]! > ratio)) continue
      const { curve } = graph.edges[e]!
      const x = curve.inputAt(ratio)
      net += graph.from[e] === k ? -x : curve.out(x)
    }
    if (net > 0) high = middle
    else low = middle
  }
  return (low + high) / 2
}

/** ν_out·y − ν_in·x of an edge trading to its best; 0 next to a token without a price. */
function surplusOf({ graph }: Problem, price: Float64Array, e: number): number {
  const ratio = Math.exp(price[graph.from[e]!]!) / Math.exp(price[graph.to[e]!]!)
  if (!(graph.spot[e]! > ratio)) return 0
  const { curve } = graph.edges[e]!
  const x = curve.inputAt(ratio)
  return (curve.out(x) - ratio * x) * Math.exp(price[graph.to[e]!]!)
}
