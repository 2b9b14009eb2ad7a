/**
 * The network of an order in structure-of-arrays form, and its dual. Input: tokens and edges of the
 * graph. Output: a {@link Problem}, which the dual, the bound, the searches and the recovery of the flow
 * share.
 */
import { FIRST_PIECE_STRIDE, type Graph, piecesOf } from '../../graph.js'
import { type Laplacian, makeLaplacian } from '../../math/laplacian.js'
import type { Pieces } from '../../math/pieces.js'

/** A part of the graph with local numbers of its tokens and edges, between the ends of an order. */
export type Network = {
  readonly graph: Graph
  readonly source: number
  readonly sink: number
  /** Graph numbers of the local tokens and edges, and of tokens left out that routes can pass. */
  readonly tokens: Int32Array
  readonly edges: Int32Array
  readonly outside: readonly number[]
  readonly from: Int32Array
  readonly to: Int32Array
}

/** A network with an amount to push from source to sink, and the state of its dual. */
export type Problem = Network & {
  /** Another one while parts or multiples of the order are solved. */
  amount: number
  /** The numbers of all edges, and their grouping by token in and token out. */
  readonly all: Int32Array
  readonly bundles: Bundles
  readonly γ: Float64Array
  /** First piece of each edge: spot price before the fee, virtual reserve of the token in, end. */
  readonly price: Float64Array
  readonly reserve: Float64Array
  readonly end: Float64Array
  /** ln of the spot price after the fee. */
  readonly logSpot: Float64Array
  /** Each edge's curve; cut at a hull corner if its pool paid less than its hull. */
  whole: readonly Pieces[]
  /** The part of each curve in use; cut at a tick where gas is scarce. */
  readonly pieces: Pieces[]
  /**
   * Gas of each edge: the least, the addition if funds pass through the executor, per further piece,
   * and per unit of ln(price) that it moves.
   */
  readonly gas: Float64Array
  readonly custodyGas: Float64Array
  readonly stepGas: Float64Array
  readonly moveGas: Float64Array
  /** Extra input in wei that covers how far each edge's pool can pay more than its curve. */
  readonly extraIn: Float64Array
  /** Approximate output of the order in sink units; tolerances are relative to it. */
  outputEstimate: number
  /**
   * Prices ν = e^u in units of the sink's token, and what the edges trade at them: input x, output y,
   * conductance c = ν_in·∂x/∂ln(ν_out/ν_in), and the arbitrage ν_out·y − ν_in·x.
   */
  readonly u: Float64Array
  readonly ν: Float64Array
  readonly x: Float64Array
  readonly y: Float64Array
  readonly c: Float64Array
  readonly surplus: Float64Array
  /** The Newton system over the tokens, and work arrays of a minimisation, kept to avoid allocation. */
  readonly laplacian: Laplacian
  readonly scratch: {
    readonly isTouched: Uint8Array
    readonly gradient: Float64Array
    readonly step: Float64Array
    readonly startU: Float64Array
  }
}

/**
 * Parallel edges from one token to another are adjacent: bundle b has those from `first[b]` up to
 * `first[b + 1]`, and `rate[b]` is their best spot price after the fee. Most edges of a large market
 * are idle, and one comparison with the best rate skips all of a bundle.
 */
export type Bundles = {
  readonly first: Int32Array
  readonly from: Int32Array
  readonly to: Int32Array
  readonly rate: Float64Array
  readonly logSpot: Float64Array
}

/** The problem of pushing `amount` through a network. */
export function makeProblem(network: Network, amount: number): Problem {
  const { graph, source, sink, tokens, edges, outside, from, to } = network
  const whole: Pieces[] = []
  for (const e of edges) whole.push(piecesOf(graph, e))
  const columnOf = (column: Float64Array) => gather(column, edges)
  // Built with the pieces.
  const ofFirstPiece = (n: number) => gather(graph.firstPiece, edges, FIRST_PIECE_STRIDE, n)
  const [γ, price] = [ofFirstPiece(0), ofFirstPiece(1)]
  const degree = new Int32Array(tokens.length)
  for (const k of from) degree[k]!++
  for (const k of to) degree[k]!++
  const perToken = () => new Float64Array(tokens.length)
  const perEdge = () => new Float64Array(edges.length)
  // All problems come from this literal. V8 keeps the fields of such an object inside it and gives all of
  // them one hidden class; it reads copies so much slower that a quote takes half as long again.
  return {
    graph,
    source,
    sink,
    tokens,
    edges,
    outside,
    from,
    to,
    amount,
    all: edges.map((_, i) => i),
    bundles: bundleEdges(from, to, (i) => γ[i]! * price[i]!),
    γ,
    price,
    reserve: ofFirstPiece(2),
    end: ofFirstPiece(3),
    logSpot: ofFirstPiece(4),
    whole,
    pieces: whole.slice(),
    gas: columnOf(graph.gas),
    custodyGas: columnOf(graph.custodyGas),
    stepGas: columnOf(graph.stepGas),
    moveGas: columnOf(graph.moveGas),
    extraIn: columnOf(graph.extraIn),
    outputEstimate: 0,
    u: perToken(),
    ν: perToken(),
    x: perEdge(),
    y: perEdge(),
    c: perEdge(),
    surplus: perEdge(),
    laplacian: makeLaplacian(degree, sink),
    scratch: {
      isTouched: new Uint8Array(tokens.length),
      gradient: perToken(),
      step: perToken(),
      startU: perToken(),
    },
  }
}

/** The n-th of `stride` adjacent numbers of each edge. */
function gather(column: Float64Array, edges: Int32Array, stride = 1, n = 0): Float64Array {
  const gathered = new Float64Array(edges.length)
  for (let i = 0; i < edges.length; i++) gathered[i] = column[stride * edges[i]! + n]!
  return gathered
}

function bundleEdges(from: Int32Array, to: Int32Array, rateOf: (i: number) => number): Bundles {
  const starts: number[] = []
  const best: number[] = []
  for (let i = 0; i < from.length; i++) {
    if (i === 0 || from[i] !== from[i - 1] || to[i] !== to[i - 1]) {
      starts.push(i)
      best.push(0)
    }
    best[best.length - 1] = Math.max(best.at(-1)!, rateOf(i))
  }
  const rate = Float64Array.from(best)
  return {
    first: Int32Array.from([...starts, from.length]),
    from: Int32Array.from(starts, (i) => from[i]!),
    to: Int32Array.from(starts, (i) => to[i]!),
    rate,
    logSpot: rate.map(Math.log),
  }
}
