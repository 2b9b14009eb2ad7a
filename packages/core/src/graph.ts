import type { Address, Hex } from './hex.js'
import type { Pieces } from './math/pieces.js'
import type { Curve, Direction } from './pools/family.js'
import { canBePaidDirectly, type Pool, toCurve } from './pools/index.js'
import { leastGas, STOP_GAS } from './route.js'
import type { Snapshot } from './snapshot.js'

/** A pool used in one direction. */
export type Edge = {
  readonly pool: Pool
  readonly direction: Direction
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Built on first use and cached, because most edges of a market are never used. */
  readonly curve: Curve
}

/**
 * A snapshot indexed by token, in typed arrays: tokens and edges by number. Derived and never
 * saved. Immutable, except that `pieces` and `firstPiece` are caches that fill on first use.
 */
export type Graph = {
  readonly snapshot: Snapshot
  /** Ascending, so that the numbers do not depend on the order of the snapshot's pools. */
  readonly tokens: readonly Address[]
  readonly tokenNumber: ReadonlyMap<Address, number>
  /** Pool ids ascending. */
  readonly pools: readonly Hex[]
  readonly poolNumber: ReadonlyMap<Hex, number>
  /** By token in, then token out, then pool. */
  readonly edges: readonly Edge[]
  readonly from: Int32Array
  readonly to: Int32Array
  /** Edges `firstFrom[k]` up to `firstFrom[k + 1]` leave token k. */
  readonly firstFrom: Int32Array
  /** Pool number of each edge. */
  readonly poolOf: Int32Array
  readonly edgesOfPool: readonly (readonly number[])[]
  /** The edge of the same pool in the opposite direction. */
  readonly reverse: Int32Array
  /** Marginal price of each edge at zero flow, after its fee, in raw units. */
  readonly spot: Float64Array
  /** ln of `spot`; −∞ if an edge is exhausted. */
  readonly logSpot: Float64Array
  /** Least gas of a hop through each edge. */
  readonly gas: Float64Array
  /** Additional gas if the pool cannot be paid directly. */
  readonly custodyGas: Float64Array
  /** Additional gas per further piece of its curve. */
  readonly stepGas: Float64Array
  /**
   * Extra input in wei that covers how far each edge's pool can beat its curve: see
   * `Curve.extraIn`.
   */
  readonly extraIn: Float64Array
  /** Each edge's curve as pieces, built on first use and cached: read with {@link piecesOf}. */
  readonly pieces: (Pieces | undefined)[]
  /**
   * `FIRST_PIECE` adjacent numbers per edge, valid once its pieces are built: γ, then price,
   * virtual reserve in and end of the first piece, then ln of γ·price.
   */
  readonly firstPiece: Float64Array
}

/** Numbers per edge in {@link Graph.firstPiece}. */
export const FIRST_PIECE_STRIDE = 5

/**
 * Indexes a snapshot. If `before` is the graph of the same pools in the same order, as after
 * {@link advance}, only changed pools are indexed again. Arrays are copied, so a quote that still
 * reads the old graph is not affected.
 */
export function buildGraph(snapshot: Snapshot, before?: Graph): Graph {
  const moved = before && movedPools(before.snapshot.pools, snapshot.pools)
  return before && moved ? moveEdges(before, snapshot, moved) : indexAll(snapshot)
}

function indexAll(snapshot: Snapshot): Graph {
  const edges = snapshot.pools.flatMap(toEdges)
  edges.sort(
    (a, b) =>
      compare(a.tokenIn, b.tokenIn) ||
      compare(a.tokenOut, b.tokenOut) ||
      compare(a.pool.id, b.pool.id),
  )
  const tokens = [...new Set(edges.map((edge) => edge.tokenIn))].sort(compare)
  const tokenNumber = new Map(tokens.map((token, i) => [token, i]))
  const pools = snapshot.pools.map((pool) => pool.id).sort(compare)
  const poolNumber = new Map(pools.map((id, i) => [id, i]))
  const edgesOfPool: number[][] = pools.map(() => [])
  for (const [e, { pool }] of edges.entries()) edgesOfPool[poolNumber.get(pool.id)!]!.push(e)
  const from = Int32Array.from(edges, (edge) => tokenNumber.get(edge.tokenIn)!)
  const to = Int32Array.from(edges, (edge) => tokenNumber.get(edge.tokenOut)!)
  const poolOf = Int32Array.from(edges, (edge) => poolNumber.get(edge.pool.id)!)
  const firstFrom = new Int32Array(tokens.length + 1)
  for (const k of from) firstFrom[k + 1]!++
  for (let k = 0; k < tokens.length; k++) firstFrom[k + 1]! += firstFrom[k]!
  const spot = Float64Array.from(edges, spotOf)
  return {
    snapshot,
    tokens,
    tokenNumber,
    pools,
    poolNumber,
    edges,
    from,
    to,
    firstFrom,
    poolOf,
    edgesOfPool,
    reverse: from.map(
      (_, e) => edgesOfPool[poolOf[e]!]!.find((s) => from[s] === to[e] && to[s] === from[e])!,
    ),
    spot,
    logSpot: spot.map(Math.log),
    gas: Float64Array.from(edges, gasOfEdge),
    custodyGas: Float64Array.from(edges, ({ pool }) => (canBePaidDirectly(pool) ? STOP_GAS : 0)),
    stepGas: Float64Array.from(edges, ({ curve }) => curve.stepGas ?? 0),
    extraIn: Float64Array.from(edges, ({ curve }) => curve.extraIn ?? 0),
    pieces: new Array(edges.length).fill(undefined),
    firstPiece: new Float64Array(FIRST_PIECE_STRIDE * edges.length),
  }
}

/** The pools whose state changed, or `undefined` if the set or order of the pools changed. */
function movedPools(before: readonly Pool[], after: readonly Pool[]): readonly Pool[] | undefined {
  if (before.length !== after.length) return undefined
  const moved: Pool[] = []
  for (let i = 0; i < after.length; i++) {
    if (before[i] === after[i]) continue
    if (before[i]!.id !== after[i]!.id) return undefined
    moved.push(after[i]!)
  }
  return moved
}

function moveEdges(before: Graph, snapshot: Snapshot, moved: readonly Pool[]): Graph {
  const edges = before.edges.slice()
  const spot = before.spot.slice()
  const logSpot = before.logSpot.slice()
  const pieces = before.pieces.slice()
  const extraIn = before.extraIn.slice()
  for (const pool of moved) {
    for (const e of before.edgesOfPool[before.poolNumber.get(pool.id)!]!) {
      const { direction, tokenIn, tokenOut } = edges[e]!
      edges[e] = toEdge(pool, direction, tokenIn, tokenOut)
      spot[e] = spotOf(edges[e]!)
      logSpot[e] = Math.log(spot[e]!)
      pieces[e] = undefined
      extraIn[e] = edges[e]!.curve.extraIn ?? 0
    }
  }
  const firstPiece = before.firstPiece.slice()
  return { ...before, snapshot, edges, spot, logSpot, pieces, extraIn, firstPiece }
}

/** An edge's curve as pieces. Fills the edge's numbers in `graph.firstPiece`. */
export function piecesOf(graph: Graph, e: number): Pieces {
  return graph.pieces[e] ?? buildPieces(graph, e)
}

function buildPieces({ pieces, firstPiece, edges }: Graph, e: number): Pieces {
  const made = edges[e]!.curve.pieces
  if (!made) throw new Error('a curve without pieces needs an envelope')
  const price = made.price[0] ?? 0
  const first = FIRST_PIECE_STRIDE * e
  firstPiece[first] = made.γ
  firstPiece[first + 1] = price
  firstPiece[first + 2] = made.reserveIn[0] ?? 0
  firstPiece[first + 3] = made.startIn[1] ?? 0
  firstPiece[first + 4] = Math.log(made.γ * price)
  pieces[e] = made
  return made
}

/** The edges that leave a token; none for a token in no pool. */
export function edgesFrom(graph: Graph, token: Address): readonly Edge[] {
  const k = graph.tokenNumber.get(token)
  return k === undefined ? [] : graph.edges.slice(graph.firstFrom[k], graph.firstFrom[k + 1])
}

/** The pool with that id, if the snapshot contains it. */
export function poolById(graph: Graph, id: Hex): Pool | undefined {
  const number = graph.poolNumber.get(id)
  const edge = number === undefined ? undefined : graph.edgesOfPool[number]![0]
  return edge === undefined ? undefined : graph.edges[edge]!.pool
}

function toEdges(pool: Pool): readonly Edge[] {
  const edges: Edge[] = []
  for (const [i, tokenIn] of pool.tokens.entries()) {
    for (const [o, tokenOut] of pool.tokens.entries()) {
      if (i !== o) edges.push(toEdge(pool, { in: i, out: o }, tokenIn, tokenOut))
    }
  }
  return edges
}

function toEdge(pool: Pool, direction: Direction, tokenIn: Address, tokenOut: Address): Edge {
  let curve: Curve | undefined
  return {
    pool,
    direction,
    tokenIn,
    tokenOut,
    get curve() {
      curve ??= toCurve(pool, direction)
      return curve
    },
  }
}

function spotOf(edge: Edge): number {
  return edge.curve.price(0)
}

function gasOfEdge({ pool, direction }: Edge): number {
  return leastGas(pool, direction)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
