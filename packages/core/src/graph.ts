import { badOption } from './checkNames.js'
import { directionsOf, firstOf, numbersOf, sortEdges } from './edgeOrder.js'
import type { Address, Hex } from './hex.js'
import type { Intervals } from './math/intervals.js'
import type { Pieces } from './math/pieces.js'
import { type Curve, type Direction, type Family, measureCurve } from './pools/family.js'
import { canBePaidDirectly, familyOf, type Pool } from './pools/index.js'
import { CUSTODY_GAS, leastGas } from './replay.js'
import { textOf } from './shape/check.js'
import type { Snapshot } from './snapshot.js'
import { BadSnapshotError } from './snapshotFile.js'

/** A pool used in one direction. */
export type Edge = {
  readonly pool: Pool
  readonly direction: Direction
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Built on first use and cached, because most edges of a market are never used. */
  readonly curve: Curve
}

declare const opaque: unique symbol

/** A snapshot indexed for quotes, as {@link buildGraph} makes it; what else is in it is not for callers. */
export type OpaqueGraph = { readonly snapshot: Snapshot; readonly [opaque]: true }

/**
 * A snapshot indexed by token, in typed arrays: tokens and edges by number. Derived and never
 * saved. Immutable, except for the caches `made`, `pieces` and `piecesFrom`.
 *
 * A block moves some pools. The graph of the next block shares with the graph before it everything
 * that only depends on which pools there are, each column that did not change, and the caches.
 */
export type Graph = OpaqueGraph &
  Columns & {
    /** Ascending, so that the numbers do not depend on the order of the snapshot's pools. */
    readonly tokens: readonly Address[]
    readonly tokenNumber: ReadonlyMap<Address, number>
    /** Pool ids ascending. */
    readonly pools: readonly Hex[]
    readonly poolNumber: ReadonlyMap<Hex, number>
    /** The state of each pool, by its number. */
    readonly stateOf: readonly Pool[]
    /** Edges ascend by token in, then token out, then pool. */
    readonly from: Int32Array
    readonly to: Int32Array
    /** Edges `firstFrom[k]` up to `firstFrom[k + 1]` leave token k. */
    readonly firstFrom: Int32Array
    /** Pool number of each edge. */
    readonly poolOf: Int32Array
    /** Which of its pool's directions each edge is. */
    readonly directionOf: Int32Array
    readonly edgesOfPool: readonly (readonly number[])[]
    /** The edge of the same pool in the opposite direction. */
    readonly reverse: Int32Array
    /** The edges of each pool as objects, built on first use: read with `edgeAt`. */
    readonly made: (readonly Edge[] | undefined)[]
    /** Each edge's curve as pieces, built on first use: read with `piecesOf`. */
    readonly pieces: (Pieces | undefined)[]
    /** The state that each edge's pieces belong to, because graphs of several blocks share them. */
    readonly piecesFrom: (Pool | undefined)[]
  }

/** The columns that a graph derives from the states of pools. */
type Columns = {
  /** Marginal price of each edge at zero flow, after its fee, in raw units. */
  readonly spot: Float64Array
  /** ln of `spot`; −∞ if an edge is exhausted. */
  readonly logSpot: Float64Array
  /** Input and output of the trade that lowers each edge's marginal price by 2 %. */
  readonly depthIn: Float64Array
  readonly depthOut: Float64Array
  /** Least gas of a hop through each edge. */
  readonly gas: Float64Array
  /** Additional gas if the pool cannot be paid directly. */
  readonly custodyGas: Float64Array
  /** Additional gas per further piece of its curve. */
  readonly stepGas: Float64Array
  /** Intervals of prices that cost gas to enter. */
  readonly intervals: (Intervals | undefined)[]
  /**
   * Extra input in wei that covers how far each edge's pool can beat its curve: see
   * `Curve.extraIn`.
   */
  readonly extraIn: Float64Array
}

/** The depth of an edge is the trade that lowers its marginal price by this fraction. */
export const DEPTH_MOVE = 0.02

const built = new WeakSet<OpaqueGraph>()

/**
 * Indexes a snapshot. If `before` is the graph of the same pools in the same order, as after
 * {@link advance}, only changed pools are indexed again; `before` itself does not change.
 *
 * Throws BAD_SNAPSHOT for what is no snapshot, and BAD_FAMILY for a pool of an unknown family. It does not check what
 * {@link checkSnapshot} does.
 */
export function buildGraph(snapshot: Snapshot, before?: OpaqueGraph): Graph {
  if (!Array.isArray(snapshot?.pools) || !snapshot.block) {
    const got = { field: 'snapshot', got: textOf(snapshot), wanted: 'what checkSnapshot returns' }
    throw new BadSnapshotError('the snapshot is none', got)
  }
  const last = before && graphOf(before)
  const moved = last && movedPools(last.snapshot.pools, snapshot.pools)
  const graph = last && moved ? moveEdges(last, snapshot, moved) : indexAll(snapshot)
  built.add(graph)
  return graph
}

/** {@link buildGraph} for callers of core, who see nothing inside. Throws BAD_SNAPSHOT and BAD_FAMILY. */
export function buildOpaqueGraph(snapshot: Snapshot, before?: OpaqueGraph): OpaqueGraph {
  return buildGraph(snapshot, before)
}

/** What is in a graph. Throws BAD_OPTIONS for what {@link buildGraph} did not make. */
export function graphOf(graph: OpaqueGraph): Graph {
  if (built.has(graph)) return graph as Graph
  throw badOption('graph', graph, 'what buildGraph returns')
}

function indexAll(snapshot: Snapshot): Graph {
  const stateOf = [...snapshot.pools].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  const pools = stateOf.map((pool) => pool.id)
  const sorted = sortEdges(stateOf)
  const { from, to, poolOf, tokens } = sorted
  const count = from.length
  const edgesOfPool: number[][] = pools.map(() => [])
  for (let e = 0; e < count; e++) edgesOfPool[poolOf[e]!]!.push(e)
  const reverseOf = (e: number) =>
    edgesOfPool[poolOf[e]!]!.find((s) => from[s] === to[e] && to[s] === from[e])!
  const graph = {
    ...{ snapshot, ...sorted, pools, poolNumber: numbersOf(pools), stateOf, edgesOfPool },
    firstFrom: firstOf(from, tokens.length),
    reverse: from.map((_, e) => reverseOf(e)),
    made: new Array(pools.length).fill(undefined),
    pieces: new Array(count).fill(undefined),
    piecesFrom: new Array(count).fill(undefined),
  }
  const column = () => new Float64Array(count)
  const columns: Columns = {
    ...{ spot: column(), logSpot: column(), depthIn: column(), depthOut: column() },
    ...{ gas: column(), custodyGas: column(), stepGas: column(), extraIn: column() },
    intervals: new Array(count).fill(undefined),
  }
  const indexed = { ...graph, ...columns } as unknown as Graph
  for (let e = 0; e < count; e++) measureEdge(indexed, e)
  return indexed
}

/** The pools whose state changed, or `undefined` if the set or order of the pools changed. */
function movedPools(before: readonly Pool[], after: readonly Pool[]): readonly Pool[] | undefined {
  if (before.length !== after.length) return undefined
  const moved: Pool[] = []
  for (let i = 0; i < after.length; i++) {
    if (before[i] === after[i]) continue
    if (!isSamePool(before[i]!, after[i]!)) return undefined
    moved.push(after[i]!)
  }
  return moved
}

function isSamePool({ id, tokens }: Pool, other: Pool): boolean {
  const isSame = id === other.id && tokens.length === other.tokens.length
  return isSame && tokens.every((token, n) => token === other.tokens[n])
}

function moveEdges(before: Graph, snapshot: Snapshot, moved: readonly Pool[]): Graph {
  const stateOf = before.stateOf.slice()
  const graph = { ...before, snapshot, stateOf, made: before.made.slice() }
  for (const pool of moved) {
    const n = before.poolNumber.get(pool.id)!
    stateOf[n] = pool
    graph.made[n] = undefined
    for (const e of before.edgesOfPool[n]!) measureEdge(graph, e, before)
  }
  return graph
}

/** Sets the row of an edge. Columns that the graph shares with `before` are copied first. */
function measureEdge(
  graph: { -readonly [K in keyof Graph]: Graph[K] },
  e: number,
  before?: Graph,
): void {
  const pool = graph.stateOf[graph.poolOf[e]!]!
  const direction = directionsOf(pool)[graph.directionOf[e]!]!
  const measured =
    familyOf(pool).measure?.(pool, direction, DEPTH_MOVE) ??
    measureCurve(edgeAt(graph, e).curve, DEPTH_MOVE)
  const { spot, depthIn, depthOut, stepGas = 0, intervals, extraIn = 0 } = measured
  const custodyGas = canBePaidDirectly(pool) ? CUSTODY_GAS : 0
  graph.spot = put(graph.spot, before?.spot, e, spot)
  graph.logSpot = put(graph.logSpot, before?.logSpot, e, Math.log(spot))
  graph.depthIn = put(graph.depthIn, before?.depthIn, e, depthIn)
  graph.depthOut = put(graph.depthOut, before?.depthOut, e, depthOut)
  graph.gas = put(graph.gas, before?.gas, e, leastGas(pool, direction))
  graph.custodyGas = put(graph.custodyGas, before?.custodyGas, e, custodyGas)
  graph.stepGas = put(graph.stepGas, before?.stepGas, e, stepGas)
  graph.intervals = put(graph.intervals, before?.intervals, e, intervals)
  graph.extraIn = put(graph.extraIn, before?.extraIn, e, extraIn)
}

function put<Column extends Float64Array | (Intervals | undefined)[]>(
  column: Column,
  shared: Column | undefined,
  e: number,
  value: Column[number],
): Column {
  if (column[e] === value) return column
  const own = (column === shared ? column.slice() : column) as Column
  own[e] = value
  return own
}

/** An edge as an object, the same one as long as its pool does not change. */
export function edgeAt(graph: Graph, e: number): Edge {
  const n = graph.poolOf[e]!
  graph.made[n] ??= toEdges(graph.stateOf[n]!)
  return graph.made[n][graph.directionOf[e]!]!
}

/** An edge's curve as pieces. */
export function piecesOf(graph: Graph, e: number): Pieces {
  const isMade = graph.piecesFrom[e] === graph.stateOf[graph.poolOf[e]!]
  return isMade ? graph.pieces[e]! : buildPieces(graph, e)
}

function buildPieces(graph: Graph, e: number): Pieces {
  const made = edgeAt(graph, e).curve.pieces
  if (!made) throw new Error('a curve without pieces needs an envelope')
  graph.pieces[e] = made
  graph.piecesFrom[e] = graph.stateOf[graph.poolOf[e]!]
  return made
}

/** The edges that leave a token; none for a token in no pool. */
export function edgesFrom(graph: Graph, token: Address): readonly Edge[] {
  const k = graph.tokenNumber.get(token)
  if (k === undefined) return []
  const first = graph.firstFrom[k]!
  return Array.from({ length: graph.firstFrom[k + 1]! - first }, (_, n) => edgeAt(graph, first + n))
}

/** The pool with that id, if the snapshot contains it. */
export function poolById(market: OpaqueGraph, id: Hex): Pool | undefined {
  const graph = graphOf(market)
  const number = graph.poolNumber.get(id)
  return number === undefined ? undefined : graph.stateOf[number]
}

function toEdges(pool: Pool): readonly Edge[] {
  const family = familyOf(pool)
  return directionsOf(pool).map((direction) =>
    toEdge(family, pool, direction, pool.tokens[direction.in]!, pool.tokens[direction.out]!),
  )
}

function toEdge(
  family: Family<Pool>,
  pool: Pool,
  direction: Direction,
  tokenIn: Address,
  tokenOut: Address,
): Edge {
  let curve: Curve | undefined
  return {
    pool,
    direction,
    tokenIn,
    tokenOut,
    get curve() {
      curve ??= family.toCurve(pool, direction)
      return curve
    },
  }
}
