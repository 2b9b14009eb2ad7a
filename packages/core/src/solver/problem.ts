import { FIRST_PIECE, type Graph, piecesOf } from '../graph.js'
import type { Pieces } from '../math/pieces.js'
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
  /** Wei of input by which each edge's pool may beat its curve. */
  readonly extraIn: Float64Array
  /** About what the order brings, in sink units: what a tolerance is a part of. */
  worth: number
  /** Whether a way of the order's paths met a pool too small for it: then the best path may be another. */
  isCramped: boolean
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
 * `first[b + 1]`, the best of them at spot price `rate[b]` after its fee, its ln `logSpot[b]`. In a
 * large market most trade nothing, and a bundle is seen to at one look.
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
  const extraIn = new Float64Array(m)
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
    extraIn[i] = graph.extraIn[e]!
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
    extraIn,
    worth: 0,
    isCramped: false,
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
