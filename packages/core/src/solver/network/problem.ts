/**
 * The network of an order in structure-of-arrays form, and its dual. Input: tokens and edges of the
 * graph. Output: a {@link Problem}, which the dual, the bound, the searches and the recovery of the flow
 * share. Its curves may be cut at a tick: each that a pool crosses costs gas, so a cut pool is a cheaper edge.
 */
import { type Graph, piecesOf } from '../../graph.js'
import { type Laplacian, makeLaplacian } from '../../math/laplacian.js'
import { cutPieces, firstPieces, type Pieces } from '../../math/pieces.js'

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
  /** Edges `first[k]` up to `first[k + 1]` leave token k. */
  readonly first: Int32Array
  /** ln of the first price of each edge. */
  readonly logSpot: Float64Array
  readonly entering: Entering
}

/**
 * Edges by the token that they lead to: those into token k are `into` from `firstInto[k]` up to `firstInto[k + 1]`.
 * Their starts and prices in the same order, because a scan that jumps waits for the memory.
 */
export type Entering = {
  readonly firstInto: Int32Array
  readonly into: Int32Array
  readonly fromOfInto: Int32Array
  readonly logSpotOfInto: Float64Array
}

/**
 * A network with an amount to push from source to sink, and the state of its dual. Written out, because what a compiler
 * infers for the arrays is no type to one before TypeScript 5.7.
 */
export type Problem = Network & {
  readonly amount: number
  /** The numbers of all edges. */
  readonly all: Int32Array
  /** The spot price of each edge after its fee. */
  readonly rate: Float64Array
  /** Each edge's curve; cut at a hull corner if its pool paid less than its hull. */
  whole: readonly Pieces[]
  /** The part of each curve in use; cut at a tick where gas is scarce. */
  readonly pieces: Pieces[]
  /** Prices ν = e^u in units of the sink's token. */
  readonly u: Float64Array
  readonly ν: Float64Array
  /**
   * The trades of the edges at them: input x, output y, conductance c = ν_in·∂x/∂ln(ν_out/ν_in), and the
   * arbitrage ν_out·y − ν_in·x.
   */
  readonly x: Float64Array
  readonly y: Float64Array
  readonly c: Float64Array
  readonly surplus: Float64Array
  /** The edges of which these are not zero, the first `count` entries. */
  readonly trading: { edges: Int32Array; count: number }
  /** The value of each token's excess: the derivative of the dual function by its log price. */
  readonly gradient: Float64Array
  /** The Newton system over the tokens, and work arrays of a minimisation, kept to avoid allocation. */
  readonly laplacian: Laplacian
  readonly scratch: {
    readonly isTouched: Uint8Array
    readonly step: Float64Array
    readonly startU: Float64Array
  }
}

/** The problem of pushing `amount` through a network. */
export function makeProblem(network: Network, amount: number): Problem {
  const { graph, source, sink, tokens, edges, outside, from, to } = network
  const whole: Pieces[] = []
  const rate = new Float64Array(edges.length)
  for (let i = 0; i < edges.length; i++) {
    const pieces = piecesOf(graph, edges[i]!)
    whole.push(pieces)
    rate[i] = pieces.price.length > 0 ? pieces.γ * pieces.price[0]! : 0
  }
  const { first, entering } = network
  const countAt = (begin: Int32Array, k: number) => begin[k + 1]! - begin[k]!
  const degree = tokens.map((_, k) => countAt(first, k) + countAt(entering.firstInto, k))
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
    first,
    logSpot: network.logSpot,
    entering,
    amount,
    all: edges.map((_, i) => i),
    rate,
    whole,
    pieces: whole.slice(),
    u: perToken(),
    ν: perToken(),
    x: perEdge(),
    y: perEdge(),
    c: perEdge(),
    surplus: perEdge(),
    trading: { edges: new Int32Array(edges.length), count: 0 },
    gradient: perToken(),
    laplacian: makeLaplacian(degree, sink),
    scratch: {
      isTouched: new Uint8Array(tokens.length),
      step: perToken(),
      startU: perToken(),
    },
  }
}

/** The pieces in effect of some edges, in the order of the edges. */
export type Cuts = readonly Pieces[]

/** Lets edge `i` use its first `count` pieces only, and of these an input of `end`. */
export function cutTo({ pieces, whole }: Problem, i: number, count: number, end = Infinity): void {
  pieces[i] = cutPieces(firstPieces(whole[i]!, count), end)
}

/** Lets every edge use its whole curve. */
export function uncutAll({ pieces, whole }: Problem): void {
  for (let i = 0; i < pieces.length; i++) pieces[i] = whole[i]!
}

/** Puts cuts of some edges into effect; all other edges, and these if none are given, use their whole curves. */
export function setCuts(problem: Problem, edges: Int32Array, cuts?: Cuts): void {
  uncutAll(problem)
  if (cuts) for (let s = 0; s < edges.length; s++) problem.pieces[edges[s]!] = cuts[s]!
}
