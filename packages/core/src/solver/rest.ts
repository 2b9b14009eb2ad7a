import { FIRST_PIECE, type Graph, piecesOf } from '../graph.js'
import type { Hex } from '../hex.js'
import { inputAtOf, outOf } from '../math/pieces.js'
import type { Offer } from './bound.js'
import { crossing } from './crossing.js'
import type { Problem } from './problem.js'
import type { Reference } from './reference.js'

// What a token must promise, as part of the output, to be worth solving with.
const PROMISING = 1e-7
const MOST_PROMISING = 24

/** What lies beyond a problem: prices for the tokens left out of it, and what their edges earn. */
export type Rest = {
  readonly offers: readonly Offer[]
  /** What the edges behind the offers trade, in sink units. */
  readonly turnover: number
  /** Least gas of an edge left out; infinite if none is. */
  readonly leastGas: number
  /** ln ν by graph number of the token; not a number where there is none. */
  readonly prices: Float64Array
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
    const prices = new Float64Array(0)
    const leastGas = Number.POSITIVE_INFINITY
    return { offers: [], turnover: 0, leastGas, prices, promising: [] }
  }
  const isLocal = new Uint8Array(graph.tokens.length)
  const price = new Float64Array(graph.tokens.length).fill(Number.NaN)
  const worth = new Float64Array(graph.tokens.length)
  for (let k = 0; k < tokens.length; k++) {
    price[tokens[k]!] = u[k]!
    worth[tokens[k]!] = Math.exp(u[k]!)
    isLocal[tokens[k]!] = 1
  }
  const prices = { price, worth }
  const around = usableAround(problem, reference, excludedPools)
  const isQuiet = new Uint8Array(left.length)
  // Outwards until no further token is reached, and once more with all neighbours priced.
  for (let unpriced = left.length + 1, now = left.length; now < unpriced; ) {
    unpriced = now
    now = 0
    for (let n = 0; n < left.length; n++) {
      const k = left[n]!
      // Where all around is in the problem, another look sees nothing new.
      if (!around.isNear[n] || Number.isNaN(price[k]!)) {
        isQuiet[n] = balance(graph, prices, k, around, n) ? 1 : 0
      }
      if (Number.isNaN(price[k]!)) now++
    }
  }
  const earned = new Float64Array(left.length)
  const offers: Offer[] = []
  let turnover = 0
  for (let n = 0; n < left.length; n++) {
    if (around.isNear[n] && isQuiet[n]) continue
    for (let s = around.first[n]!; s < around.first[n + 1]!; s++) {
      const e = around.edges[s]!
      const surplus = surplusOf(graph, prices, e)
      const worth = surplus + extraOf(graph, prices, e)
      if (!(worth > 0)) continue
      // An edge between two tokens left out is met from both: count it at its token in.
      if (isLocal[around.others[s]!] || around.leadsOut[s]) {
        offers.push({ surplus: worth, gas: graph.gas[e]! })
        if (surplus > 0) turnover += tradedBy(graph, prices, e)
      }
      earned[n]! += surplus
    }
  }
  const { leastGas } = around
  const least = PROMISING * amount * ν[source]!
  const promising = Array.from(left.keys())
    .filter((n) => earned[n]! > least)
    .sort((a, b) => earned[b]! - earned[a]! || left[a]! - left[b]!)
    .slice(0, MOST_PROMISING)
    .map((n) => left[n]!)
  return { offers, turnover, leastGas, prices: price, promising }
}

/**
 * The edges from and to the tokens left out that an acyclic route could use: those of the n-th from
 * `first[n]` up to `first[n + 1]`.
 */
type Around = {
  readonly first: Int32Array
  readonly edges: Int32Array
  /** The tokens at the other ends of them, and whether an edge leads there. */
  readonly others: Int32Array
  readonly leadsOut: Uint8Array
  /** Whether all of a token's neighbours are in the problem, and no edge there may beat its curve. */
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
  const { gas } = graph
  const isOnWay = new Uint8Array(graph.tokens.length)
  for (const k of tokens) isOnWay[k] = LOCAL
  for (const k of beyond) isOnWay[k] = BEYOND
  const [start, end] = [tokens[source]!, tokens[sink]!]
  const all = touching(graph)
  let count = 0
  for (const k of beyond) count += all.first[k + 1]! - all.first[k]!
  const first = new Int32Array(beyond.length + 1)
  const edges = new Int32Array(count)
  const others = new Int32Array(count)
  const leadsOut = new Uint8Array(count)
  const isNear = new Uint8Array(beyond.length).fill(1)
  let leastGas = Number.POSITIVE_INFINITY
  let length = 0
  for (const [n, k] of beyond.entries()) {
    for (let s = all.first[k]!; s < all.first[k + 1]!; s++) {
      const e = all.edges[s]!
      const other = all.others[s]!
      if (isClean[e] !== 1 || !isOnWay[other]) continue
      if (other === (all.leadsOut[s] ? start : end)) continue
      if (excludedPools?.size && excludedPools.has(graph.edges[e]!.pool.id)) continue
      leastGas = Math.min(leastGas, gas[e]!)
      // An edge that may beat its curve earns something even where prices leave room.
      if (isOnWay[other] === BEYOND || graph.extraIn[e]! > 0) isNear[n] = 0
      edges[length] = e
      others[length] = other
      leadsOut[length++] = all.leadsOut[s]!
    }
    first[n + 1] = length
  }
  const around = { first, edges, others, leadsOut, isNear, leastGas }
  known.set(problem, around)
  return around
}

const LOCAL = 1
const BEYOND = 2

type Touching = {
  readonly first: Int32Array
  readonly edges: Int32Array
  readonly others: Int32Array
  readonly leadsOut: Uint8Array
}

// Blocks move pools and leave what touches what: kept for as long as the pools are the same.
const touchings = new WeakMap<Graph['edgesOfPool'], Touching>()

/** Per token, the edges from and to it: `first[k]` up to `first[k + 1]`. */
function touching({ edgesOfPool, tokens, from, to }: Graph): Touching {
  const before = touchings.get(edgesOfPool)
  if (before) return before
  const first = new Int32Array(tokens.length + 1)
  for (let e = 0; e < from.length; e++) {
    first[from[e]! + 1]!++
    first[to[e]! + 1]!++
  }
  for (let k = 0; k < tokens.length; k++) first[k + 1]! += first[k]!
  const next = first.slice()
  const edges = new Int32Array(2 * from.length)
  const others = new Int32Array(2 * from.length)
  const leadsOut = new Uint8Array(2 * from.length)
  for (let e = 0; e < from.length; e++) {
    const out = next[from[e]!]!++
    edges[out] = e
    others[out] = to[e]!
    leadsOut[out] = 1
    const into = next[to[e]!]!++
    edges[into] = e
    others[into] = from[e]!
  }
  const made = { first, edges, others, leadsOut }
  touchings.set(edgesOfPool, made)
  return made
}

/**
 * Sets the price of token k, the n-th left out, between what is paid and what is asked for it around, or
 * where the two meet; whether there is room between them, so that no edge there earns anything.
 */
function balance(
  graph: Graph,
  { price, worth }: Prices,
  k: number,
  { first, edges, others, leadsOut }: Around,
  n: number,
): boolean {
  const { logSpot } = graph
  let bid = Number.NEGATIVE_INFINITY
  let ask = Number.POSITIVE_INFINITY
  for (let s = first[n]!; s < first[n + 1]!; s++) {
    const other = price[others[s]!]!
    if (Number.isNaN(other)) continue
    if (leadsOut[s]) bid = Math.max(bid, other + logSpot[edges[s]!]!)
    else ask = Math.min(ask, other - logSpot[edges[s]!]!)
  }
  if (bid === Number.NEGATIVE_INFINITY && ask === Number.POSITIVE_INFINITY) price[k] = Number.NaN
  else if (!Number.isFinite(bid)) price[k] = ask
  else if (!Number.isFinite(ask)) price[k] = bid
  else if (bid <= ask) price[k] = (bid + ask) / 2
  else {
    // Only these trade at some price between.
    const near: number[] = []
    for (let s = first[n]!; s < first[n + 1]!; s++) {
      const e = edges[s]!
      const other = price[others[s]!]!
      if (leadsOut[s] ? other + logSpot[e]! > ask : other - logSpot[e]! < bid) near.push(e)
    }
    price[k] = crossing(ask, bid, (u) => {
      worth[k] = Math.exp(u)
      return netFlow(graph, worth, k, near)
    })
  }
  worth[k] = Math.exp(price[k]!)
  return ask - bid > 4 * CLOSE
}

/** ln ν by graph number of the token, not a number where there is none, and ν. */
type Prices = { readonly price: Float64Array; readonly worth: Float64Array }

/** What comes in less what goes out of token k; rises with its price. */
function netFlow(graph: Graph, worth: Float64Array, k: number, edges: readonly number[]): number {
  const { from, to, spot } = graph
  let net = 0
  for (let s = 0; s < edges.length; s++) {
    const e = edges[s]!
    const ratio = worth[from[e]!]! / worth[to[e]!]!
    if (!(spot[e]! > ratio)) continue
    if (from[e] === k) net -= inputAt(graph, e, ratio)
    else net += outputAt(graph, e, ratio)
  }
  return net
}

/** ν_out·y − ν_in·x of an edge trading to its best; 0 next to a token without a price. */
function surplusOf(graph: Graph, { price, worth }: Prices, e: number): number {
  const { from, to, spot, logSpot } = graph
  // Most edges are far from earning anything: spare them the division.
  if (!(logSpot[e]! > price[from[e]!]! - price[to[e]!]! - CLOSE)) return 0
  const ratio = worth[from[e]!]! / worth[to[e]!]!
  if (!(spot[e]! > ratio)) return 0
  return (outputAt(graph, e, ratio) - ratio * inputAt(graph, e, ratio)) * worth[to[e]!]!
}

/** What an edge with a surplus trades, in sink units. */
function tradedBy(graph: Graph, { worth }: Prices, e: number): number {
  const { from, to } = graph
  return worth[from[e]!]! * inputAt(graph, e, worth[from[e]!]! / worth[to[e]!]!)
}

/** What the input by which an edge may beat its curve is worth; 0 next to a token without a price. */
function extraOf({ from, to, extraIn }: Graph, { price, worth }: Prices, e: number): number {
  if (extraIn[e] === 0 || Number.isNaN(price[from[e]!]! + price[to[e]!]!)) return 0
  return worth[from[e]!]! * extraIn[e]!
}

/** What goes into an edge that trades until its price has fallen to `ratio`. */
function inputAt(graph: Graph, e: number, ratio: number): number {
  const pieces = piecesOf(graph, e)
  const first = FIRST_PIECE * e
  const γ = graph.firstPiece[first]!
  const x = (graph.firstPiece[first + 2]! / γ) * moveTo(graph, e, ratio)
  return x < graph.firstPiece[first + 3]! ? x : inputAtOf(pieces, ratio)
}

/** What comes out of it. */
function outputAt(graph: Graph, e: number, ratio: number): number {
  const pieces = piecesOf(graph, e)
  const first = FIRST_PIECE * e
  const move = moveTo(graph, e, ratio)
  const reserve = graph.firstPiece[first + 2]!
  const isFirst = (reserve / graph.firstPiece[first]!) * move < graph.firstPiece[first + 3]!
  if (!isFirst) return outOf(pieces, inputAtOf(pieces, ratio))
  return (graph.firstPiece[first + 1]! * reserve * move) / (1 + move)
}

/** By what part of its first virtual reserve an edge trades until its price has fallen to `ratio`. */
function moveTo({ firstPiece }: Graph, e: number, ratio: number): number {
  const first = FIRST_PIECE * e
  const q = Math.max(0, (firstPiece[first]! * firstPiece[first + 1]! - ratio) / ratio)
  return q / (1 + Math.sqrt(1 + q))
}

// Log prices nearer than this may come out either way in floats.
const CLOSE = 1e-9
