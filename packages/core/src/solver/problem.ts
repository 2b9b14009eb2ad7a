import { FIRST_PIECE, type Graph, piecesOf } from '../graph.js'
import { outOf, type Pieces, pieceAbove } from '../math/pieces.js'
import { type Laplacian, makeLaplacian } from './laplacian.js'

/**
 * A part of the graph with an amount to push from source to sink, and the state of the dual on
 * it. Tokens and edges have local numbers; the arrays after `u` are scratch that {@link respond}
 * fills for the edges in `active`.
 *
 * Symbols: ν = e^u the prices in units of the sink's token, x and y an edge's input and output,
 * c its conductance ν_in·∂x/∂ln(ν_out/ν_in), surplus its arbitrage ν_out·y − ν_in·x.
 */
export type Problem = {
  readonly graph: Graph
  readonly source: number
  readonly sink: number
  readonly amount: number
  /** Graph numbers of the tokens that routes can pass but the problem leaves out. */
  readonly beyond: readonly number[]
  /** Graph numbers of the local tokens and edges. */
  readonly tokens: Int32Array
  readonly edges: Int32Array
  readonly from: Int32Array
  readonly to: Int32Array
  /** The numbers of all local edges, and the edges between the same two tokens in one direction. */
  readonly all: Int32Array
  readonly bundles: Bundles
  readonly γ: Float64Array
  /** First piece of each edge: spot price before the fee, virtual reserve in, end. */
  readonly price: Float64Array
  readonly reserve: Float64Array
  readonly end: Float64Array
  /** ln of the spot price after the fee. */
  readonly logSpot: Float64Array
  /** Each edge's curve; cut for a while where a pool falls short of it. */
  readonly pieces: Pieces[]
  /** Least gas of each edge, what more it takes where funds stop before it, and for each further piece. */
  readonly gas: Float64Array
  readonly stopGas: Float64Array
  readonly stepGas: Float64Array
  /** About what the order brings, in sink units: what a tolerance is a part of. */
  worth: number
  readonly u: Float64Array
  readonly ν: Float64Array
  readonly x: Float64Array
  readonly y: Float64Array
  readonly c: Float64Array
  readonly surplus: Float64Array
  readonly trading: Trading
  /** The Newton system over the tokens, as the last minimisation left it, and what it works with. */
  readonly laplacian: Laplacian
  readonly scratch: Scratch
}

/**
 * Edges from one token to another, which stand side by side: those of bundle b from `first[b]` up to
 * `first[b + 1]`, the best of them at spot price `rate[b]` after its fee, its ln `logSpot[b]`. In a large market most trade nothing,
 * and a bundle is seen to at one look.
 */
export type Bundles = {
  readonly first: Int32Array
  readonly from: Int32Array
  readonly to: Int32Array
  readonly rate: Float64Array
  readonly logSpot: Float64Array
}

/**
 * The edges that traded when all were last let respond: the first `count` of `edges`. In a large
 * market they are few, and what is nought need not be gone through.
 */
export type Trading = {
  readonly edges: Int32Array
  count: number
  /** Whether others were touched since and may trade too. */
  isStale: boolean
}

/** Arrays that a minimisation fills before it reads them, kept so that not each makes its own. */
export type Scratch = {
  readonly isTouched: Uint8Array
  readonly gradient: Float64Array
  readonly step: Float64Array
  readonly startU: Float64Array
}

/** The problem of pushing `amount` from source to sink over the given tokens and edges. */
export function makeProblem(
  graph: Graph,
  choice: {
    readonly tokens: Int32Array
    readonly edges: Int32Array
    readonly source: number
    readonly sink: number
    readonly amount: number
    readonly beyond: readonly number[]
  },
): Problem {
  const n = choice.tokens.length
  const m = choice.edges.length
  const local = new Map<number, number>()
  for (let k = 0; k < n; k++) local.set(choice.tokens[k]!, k)
  const from = new Int32Array(m)
  const to = new Int32Array(m)
  const γ = new Float64Array(m)
  const price = new Float64Array(m)
  const reserve = new Float64Array(m)
  const end = new Float64Array(m)
  const logSpot = new Float64Array(m)
  const degree = new Int32Array(n)
  const gas = new Float64Array(m)
  const stopGas = new Float64Array(m)
  const stepGas = new Float64Array(m)
  const pieces: Pieces[] = []
  const all = new Int32Array(m)
  for (let i = 0; i < m; i++) {
    all[i] = i
    const e = choice.edges[i]!
    pieces.push(piecesOf(graph, e))
    const first = FIRST_PIECE * e
    from[i] = local.get(graph.from[e]!)!
    to[i] = local.get(graph.to[e]!)!
    degree[from[i]!]!++
    degree[to[i]!]!++
    γ[i] = graph.firstPiece[first]!
    price[i] = graph.firstPiece[first + 1]!
    reserve[i] = graph.firstPiece[first + 2]!
    end[i] = graph.firstPiece[first + 3]!
    logSpot[i] = graph.firstPiece[first + 4]!
    gas[i] = graph.gas[e]!
    stopGas[i] = graph.stopGas[e]!
    stepGas[i] = graph.stepGas[e]!
  }
  return {
    graph,
    source: local.get(choice.source)!,
    sink: local.get(choice.sink)!,
    amount: choice.amount,
    beyond: choice.beyond,
    tokens: choice.tokens,
    edges: choice.edges,
    from,
    to,
    all,
    bundles: bundle({ from, to, γ, price, logSpot }),
    γ,
    price,
    reserve,
    end,
    logSpot,
    pieces,
    gas,
    stopGas,
    stepGas,
    worth: 0,
    u: new Float64Array(n),
    ν: new Float64Array(n),
    x: new Float64Array(m),
    y: new Float64Array(m),
    c: new Float64Array(m),
    surplus: new Float64Array(m),
    trading: { edges: new Int32Array(m), count: 0, isStale: false },
    laplacian: makeLaplacian(degree, local.get(choice.sink)!),
    scratch: {
      isTouched: new Uint8Array(n),
      gradient: new Float64Array(n),
      step: new Float64Array(n),
      startU: new Float64Array(n),
    },
  }
}

function bundle({
  from,
  to,
  γ,
  price,
  logSpot,
}: Pick<Problem, 'from' | 'to' | 'γ' | 'price' | 'logSpot'>): Bundles {
  const m = from.length
  const bundles = {
    first: new Int32Array(m + 1),
    from: new Int32Array(m),
    to: new Int32Array(m),
    rate: new Float64Array(m),
    logSpot: new Float64Array(m).fill(Number.NEGATIVE_INFINITY),
  }
  let count = 0
  for (let i = 0; i < m; i++) {
    if (i === 0 || from[i] !== from[i - 1] || to[i] !== to[i - 1]) {
      bundles.first[count] = i
      bundles.from[count] = from[i]!
      bundles.to[count++] = to[i]!
    }
    const b = count - 1
    bundles.rate[b] = Math.max(bundles.rate[b]!, γ[i]! * price[i]!)
    bundles.logSpot[b] = Math.max(bundles.logSpot[b]!, logSpot[i]!)
  }
  bundles.first[count] = m
  return {
    first: bundles.first.subarray(0, count + 1),
    from: bundles.from.subarray(0, count),
    to: bundles.to.subarray(0, count),
    rate: bundles.rate.subarray(0, count),
    logSpot: bundles.logSpot.subarray(0, count),
  }
}

/**
 * Lets every active edge trade to its best at prices ν = e^u: fills x, y, c and surplus, and
 * returns the dual function g(u) = amount·ν_source + Σ surplus.
 */
export function respond(problem: Problem, active: Int32Array): number {
  const { u, ν } = problem
  for (let k = 0; k < u.length; k++) ν[k] = Math.exp(u[k]!)
  return respondAt(problem, active)
}

/** {@link respond} at prices ν that are known already. */
export function respondAt(problem: Problem, active: Int32Array): number {
  let g = problem.amount * problem.ν[problem.source]!
  if (active === problem.all) return g + respondAll(problem)
  for (let s = 0; s < active.length; s++) g += tradeEdge(problem, active[s]!)
  problem.trading.isStale = true
  return g
}

function respondAll(problem: Problem): number {
  const { u, x, c, bundles, trading } = problem
  forget(problem)
  let sum = 0
  let count = 0
  for (let b = 0; b < bundles.from.length; b++) {
    if (bundles.logSpot[b]! < u[bundles.from[b]!]! - u[bundles.to[b]!]! - FAR) continue
    for (let i = bundles.first[b]!; i < bundles.first[b + 1]!; i++) {
      sum += tradeEdge(problem, i)
      trading.edges[count] = i
      if (x[i]! > 0 || c[i]! > 0) count++
    }
  }
  trading.count = count
  return sum
}

/** Leaves no edge trading. */
function forget({ x, y, c, surplus, trading }: Problem): void {
  if (trading.isStale) {
    x.fill(0)
    y.fill(0)
    c.fill(0)
    surplus.fill(0)
    trading.isStale = false
    return
  }
  for (let s = 0; s < trading.count; s++) {
    const i = trading.edges[s]!
    x[i] = 0
    y[i] = 0
    c[i] = 0
    surplus[i] = 0
  }
}

// Log prices further apart than this do not come out the other way for being rounded.
const FAR = 1e-9

/** Of the active edges those that may trade, and how many of them count. */
export function tradingOf({ all, trading }: Problem, active: Int32Array) {
  const isKnown = active === all && !trading.isStale
  return isKnown ? trading : { edges: active, count: active.length }
}

/**
 * What floats tell log prices apart by. A pool so much deeper than the order that its whole flow lies
 * within is taken to trade as soon as it is this near, if by nothing: it yields all the same.
 */
export const RESOLUTION = 1e-14

/** Lets one edge trade to its best at the prices ν; returns its surplus. */
export function respondEdge(problem: Problem, i: number): number {
  problem.trading.isStale = true
  return tradeEdge(problem, i)
}

function tradeEdge(problem: Problem, i: number): number {
  const { ν, x, y, c, surplus } = problem
  const νIn = ν[problem.from[i]!]!
  const γ = problem.γ[i]!
  const price = problem.price[i]!
  const worth = γ * price * ν[problem.to[i]!]!
  if (!(worth > νIn * (1 - RESOLUTION))) {
    x[i] = 0
    y[i] = 0
    c[i] = 0
    surplus[i] = 0
    return 0
  }
  // √(worth/ν) − 1 by way of the difference, which keeps the digits of small flows.
  const q = Math.max(0, (worth - νIn) / νIn)
  const move = q / (1 + Math.sqrt(1 + q))
  const reserve = problem.reserve[i]!
  const scale = reserve / γ
  const input = scale * move
  if (!(input < problem.end[i]! * FULL)) return respondInTail(problem, i)
  x[i] = input
  y[i] = (price * reserve * move) / (1 + move)
  c[i] = (νIn * scale * (1 + move)) / 2
  surplus[i] = νIn * scale * move * move
  return surplus[i]!
}

// The flow into a token whose ways out are all full is known to some digits only, and shares are
// parts of 2^24: the dual fills a pool this far, and what it recovers may go a little further.
const FULL = 1 - 4e-6

function respondInTail(problem: Problem, i: number): number {
  const νIn = problem.ν[problem.from[i]!]!
  const νOut = problem.ν[problem.to[i]!]!
  const pieces = problem.pieces[i]!
  const { γ, startIn, startOut, price, reserveIn } = pieces
  const j = pieceAbove(pieces, νIn / νOut)
  const isLast = j === price.length - 1
  const q = (γ * price[j]! * νOut - νIn) / νIn
  const move = q / (1 + Math.sqrt(1 + q))
  const scale = reserveIn[j]! / γ
  const wanted = startIn[j]! + scale * move
  const most = isLast ? Math.max(startIn[j]!, startIn[j + 1]! * FULL) : startIn[j + 1]!
  const isFull = wanted >= most
  problem.x[i] = isFull ? most : wanted
  if (isFull) problem.y[i] = isLast ? outOf(pieces, most) : startOut[j + 1]!
  else problem.y[i] = startOut[j]! + (price[j]! * reserveIn[j]! * move) / (1 + move)
  problem.c[i] = isFull ? 0 : (νIn * scale * (1 + move)) / 2
  // The surplus is that of all the pool can take: the bound covers what the split leaves.
  problem.surplus[i] =
    isFull && isLast
      ? νOut * startOut[j + 1]! - νIn * startIn[j + 1]!
      : νOut * problem.y[i]! - νIn * problem.x[i]!
  return problem.surplus[i]!
}
