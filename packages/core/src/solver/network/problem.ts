/**
 * The network subproblem in structure-of-arrays form, together with the state of its dual. Input:
 * chosen tokens and edges of the graph. Output: a {@link Problem}, which the dual, the bound, the
 * searches and the recovery of the flow share.
 */
import { FIRST_PIECE_STRIDE, type Graph, piecesOf } from '../../graph.js'
import { type Laplacian, makeLaplacian } from '../../math/laplacian.js'
import type { Pieces } from '../../math/pieces.js'

/**
 * A part of the graph with an amount to push from source to sink, in three parts by who changes them:
 * the network, which only cuts change; the state of the dual, which every evaluation changes; and the
 * workspace of a minimisation.
 */
export type Problem = ProblemNetwork & DualState & Workspace

/** Tokens and edges with local numbers, and what each edge offers and costs. */
export type ProblemNetwork = {
  readonly graph: Graph
  readonly source: number
  readonly sink: number
  /** Another one while parts or multiples of the order are solved. */
  amount: number
  /** Graph numbers of the outside tokens: routes can pass them, but the problem leaves them out. */
  readonly outside: readonly number[]
  /** Graph numbers of the local tokens and edges. */
  readonly tokens: Int32Array
  readonly edges: Int32Array
  readonly from: Int32Array
  readonly to: Int32Array
  /** The numbers of all local edges, and their grouping by token in and token out. */
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
   * Whether the path search met a pool that is too small: then its result may not be the best path.
   */
  isCramped: boolean
}

/**
 * Prices, and what the edges trade at them; evaluations fill the arrays after `u` for active edges.
 *
 * Symbols: ν = e^u are the prices in units of the sink's token, x and y are an edge's input and
 * output, c is its conductance ν_in·∂x/∂ln(ν_out/ν_in), surplus is its arbitrage ν_out·y − ν_in·x.
 */
export type DualState = {
  readonly u: Float64Array
  readonly ν: Float64Array
  readonly x: Float64Array
  readonly y: Float64Array
  readonly c: Float64Array
  readonly surplus: Float64Array
  readonly trading: Trading
}

/** The Newton system over the tokens, as the last minimisation left it, and its work arrays. */
export type Workspace = { readonly laplacian: Laplacian; readonly scratch: Scratch }

/**
 * Parallel edges from one token to another are adjacent and form a bundle. Bundle b contains the
 * edges from `first[b]` up to `first[b + 1]`; `rate[b]` is their best spot price after the fee and
 * `logSpot[b]` its ln. Most edges are idle in a large market, so the best rate of a bundle allows
 * the solver to skip all of its edges with one comparison.
 */
export type Bundles = {
  readonly first: Int32Array
  readonly from: Int32Array
  readonly to: Int32Array
  readonly rate: Float64Array
  readonly logSpot: Float64Array
}

/**
 * The edges that traded when all edges last responded: the first `count` of `edges`. In a large
 * market they are few, so loops over this list skip the zeros.
 */
export type Trading = {
  readonly edges: Int32Array
  count: number
  /** Whether other edges have responded since, so that they may trade too. */
  isStale: boolean
}

/** Work arrays that a minimisation fills before it reads them; kept to avoid allocation. */
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
  const { tokens, edges } = choice
  const local = new Int32Array(graph.tokens.length)
  for (let k = 0; k < tokens.length; k++) local[tokens[k]!] = k
  const pieces: Pieces[] = []
  for (let i = 0; i < edges.length; i++) pieces.push(piecesOf(graph, edges[i]!))
  const from = edges.map((e) => local[graph.from[e]!]!)
  const to = edges.map((e) => local[graph.to[e]!]!)
  const degree = new Int32Array(tokens.length)
  for (const k of from) degree[k]!++
  for (const k of to) degree[k]!++
  const columnOf = (column: Float64Array) => gather(column, edges)
  // Built with the pieces.
  const ofFirstPiece = (n: number) => gather(graph.firstPiece, edges, FIRST_PIECE_STRIDE, n)
  const [γ, price, logSpot] = [ofFirstPiece(0), ofFirstPiece(1), ofFirstPiece(4)]
  const [source, sink] = [local[choice.source]!, local[choice.sink]!]
  // All problems come from this literal. V8 keeps the fields of such an object inside it and gives all of
  // them one hidden class; it reads copies so much slower that a quote takes half as long again.
  return {
    graph,
    source,
    sink,
    amount: choice.amount,
    outside: choice.beyond,
    tokens,
    edges,
    from,
    to,
    all: edges.map((_, i) => i),
    bundles: bundleEdges({ from, to, γ, price, logSpot }),
    γ,
    price,
    reserve: ofFirstPiece(2),
    end: ofFirstPiece(3),
    logSpot,
    whole: pieces,
    pieces: pieces.slice(),
    gas: columnOf(graph.gas),
    custodyGas: columnOf(graph.custodyGas),
    stepGas: columnOf(graph.stepGas),
    moveGas: columnOf(graph.moveGas),
    extraIn: columnOf(graph.extraIn),
    outputEstimate: 0,
    isCramped: false,
    u: new Float64Array(tokens.length),
    ν: new Float64Array(tokens.length),
    x: new Float64Array(edges.length),
    y: new Float64Array(edges.length),
    c: new Float64Array(edges.length),
    surplus: new Float64Array(edges.length),
    trading: { edges: new Int32Array(edges.length), count: 0, isStale: false },
    laplacian: makeLaplacian(degree, sink),
    scratch: {
      isTouched: new Uint8Array(tokens.length),
      gradient: new Float64Array(tokens.length),
      step: new Float64Array(tokens.length),
      startU: new Float64Array(tokens.length),
    },
  }
}

/** The n-th of `stride` adjacent numbers of each edge. */
function gather(column: Float64Array, edges: Int32Array, stride = 1, n = 0): Float64Array {
  const gathered = new Float64Array(edges.length)
  for (let i = 0; i < edges.length; i++) gathered[i] = column[stride * edges[i]! + n]!
  return gathered
}

function bundleEdges({
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
