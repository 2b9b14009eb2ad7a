import type { Graph } from '../graph.js'
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
  const around = usableAround(problem, reference, excludedPools)
  // Outwards until no further token is reached, and once more with all neighbours priced.
  for (let unpriced = left.length + 1, now = left.length; now < unpriced; ) {
    unpriced = now
    now = 0
    for (let s = 0; s < left.length; s++) {
      const k = left[s]!
      // Where all around is in the problem, another look sees nothing new.
      if (!around.isNear[s] || Number.isNaN(price[k]!)) {
        price[k] = balance(problem, price, k, around.edgesAt[s]!)
      }
      if (Number.isNaN(price[k]!)) now++
    }
  }
  const earned = new Map<number, number>()
  const offers: Offer[] = []
  for (let s = 0; s < left.length; s++) {
    const k = left[s]!
    for (const e of around.edgesAt[s]!) {
      const surplus = surplusOf(problem, price, e)
      if (surplus <= 0) continue
      // An edge between two tokens left out is met from both: count it at its token in.
      const other = graph.from[e] === k ? graph.to[e]! : graph.from[e]!
      if (isLocal[other] || graph.from[e] === k) offers.push({ surplus, gas: graph.gas[e]! })
      earned.set(k, (earned.get(k) ?? 0) + surplus)
    }
  }
  const { leastGas } = around
  const least = PROMISING * amount * ν[source]!
  const promising = [...earned]
    .filter(([, value]) => value > least)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, MOST_PROMISING)
    .map(([k]) => k)
  const priced = left.filter((k) => !Number.isNaN(price[k]!))
  return { offers, leastGas, prices: new Map(priced.map((k) => [k, price[k]!])), promising }
}

/** Per token left out, the edges from and to it that an acyclic route could use. */
type Around = {
  readonly edgesAt: readonly Int32Array[]
  /** Whether all of a token's neighbours are in the problem. */
  readonly isNear: Uint8Array
  readonly leastGas: number
}

// A problem's rest is priced two or three times over; what lies there is the same each time.
const known = new WeakMap<Problem, Around>()

function usableAround(
  problem: Problem,
  { isClean }: Reference,
  excludedPools: ReadonlySet<Hex> | undefined,
): Around {
  const made = known.get(problem)
  if (made) return made
  const { graph, tokens, source, sink, beyond } = problem
  const { from, to, gas } = graph
  const isOnWay = new Uint8Array(graph.tokens.length)
  for (const k of tokens) isOnWay[k] = LOCAL
  for (const k of beyond) isOnWay[k] = BEYOND
  const [start, end] = [tokens[source]!, tokens[sink]!]
  const { first, edges } = touching(graph)
  let count = 0
  for (const k of beyond) count += first[k + 1]! - first[k]!
  const usable = new Int32Array(count)
  const edgesAt: Int32Array[] = []
  const isNear = new Uint8Array(beyond.length).fill(1)
  let leastGas = Number.POSITIVE_INFINITY
  let length = 0
  for (const [n, k] of beyond.entries()) {
    const begin = length
    for (let s = first[k]!; s < first[k + 1]!; s++) {
      const e = edges[s]!
      if (isClean[e] !== 1 || !isOnWay[from[e]!] || !isOnWay[to[e]!]) continue
      if (to[e] === start || from[e] === end) continue
      if (excludedPools?.size && excludedPools.has(graph.edges[e]!.pool.id)) continue
      leastGas = Math.min(leastGas, gas[e]!)
      if (isOnWay[from[e] === k ? to[e]! : from[e]!] === BEYOND) isNear[n] = 0
      usable[length++] = e
    }
    edgesAt.push(usable.subarray(begin, length))
  }
  const around = { edgesAt, isNear, leastGas }
  known.set(problem, around)
  return around
}

const LOCAL = 1
const BEYOND = 2

type Touching = { readonly first: Int32Array; readonly edges: Int32Array }

// Blocks move pools and leave what touches what: kept for as long as the pools are the same.
const touchings = new WeakMap<Graph['edgesOfPool'], Touching>()

/** Per token, the edges from and to it: `first[k]` up to `first[k + 1]`. */
function touching({ edgesOfPool, tokens, from, to }: Graph): Touching {
  const made = touchings.get(edgesOfPool)
  if (made) return made
  const first = new Int32Array(tokens.length + 1)
  for (let e = 0; e < from.length; e++) {
    first[from[e]! + 1]!++
    first[to[e]! + 1]!++
  }
  for (let k = 0; k < tokens.length; k++) first[k + 1]! += first[k]!
  const next = first.slice()
  const edges = new Int32Array(2 * from.length)
  for (let e = 0; e < from.length; e++) {
    edges[next[from[e]!]!++] = e
    edges[next[to[e]!]!++] = e
  }
  touchings.set(edgesOfPool, { first, edges })
  return { first, edges }
}

function balance(problem: Problem, price: Float64Array, k: number, edges: Int32Array): number {
  const { graph } = problem
  const { from, to, logSpot } = graph
  let bid = Number.NEGATIVE_INFINITY
  let ask = Number.POSITIVE_INFINITY
  for (let s = 0; s < edges.length; s++) {
    const e = edges[s]!
    const isOut = from[e] === k
    const other = price[isOut ? to[e]! : from[e]!]!
    if (Number.isNaN(other)) continue
    if (isOut) bid = Math.max(bid, other + logSpot[e]!)
    else ask = Math.min(ask, other - logSpot[e]!)
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
      const logRatio = price[from[e]!]! - price[to[e]!]!
      if (!(logSpot[e]! > logRatio)) continue
      const ratio = Math.exp(logRatio)
      const { curve } = graph.edges[e]!
      const x = curve.inputAt(ratio)
      net += from[e] === k ? -x : curve.out(x)
    }
    if (net > 0) high = middle
    else low = middle
  }
  return (low + high) / 2
}

/** ν_out·y − ν_in·x of an edge trading to its best; 0 next to a token without a price. */
function surplusOf({ graph }: Problem, price: Float64Array, e: number): number {
  const uIn = price[graph.from[e]!]!
  const uOut = price[graph.to[e]!]!
  // Most edges are far from earning anything: spare them the exponentials.
  if (!(graph.logSpot[e]! > uIn - uOut - CLOSE)) return 0
  const ratio = Math.exp(uIn) / Math.exp(uOut)
  if (!(graph.spot[e]! > ratio)) return 0
  const { curve } = graph.edges[e]!
  const x = curve.inputAt(ratio)
  return (curve.out(x) - ratio * x) * Math.exp(uOut)
}

// Log prices nearer than this may come out either way in floats.
const CLOSE = 1e-9
