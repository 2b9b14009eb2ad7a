import type { Address, Hex } from './hex.js'
import type { Curve, Direction } from './pools/family.js'
import { type Pool, toCurve } from './pools/index.js'
import type { Snapshot } from './snapshot.js'

/** A pool used in one direction. */
export type Edge = {
  readonly pool: Pool
  readonly direction: Direction
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Built on first use and kept: most edges of a market are never asked. */
  readonly curve: Curve
}

/** A snapshot indexed by token; derived, never saved. */
export type Graph = {
  readonly snapshot: Snapshot
  readonly edgesFrom: ReadonlyMap<Address, readonly Edge[]>
  readonly edgesTo: ReadonlyMap<Address, readonly Edge[]>
  /** A pool's edges by the pool itself, so that the next graph can take over what did not move. */
  readonly edgesOfPool: ReadonlyMap<Pool, readonly Edge[]>
  readonly poolById: ReadonlyMap<Hex, Pool>
}

/**
 * Indexes a snapshot by token. Curves are built when first asked for; those of pools that `before`
 * shares by reference with the snapshot are taken over from it.
 */
export function buildGraph(snapshot: Snapshot, before?: Graph): Graph {
  const edgesFrom = new Map<Address, Edge[]>()
  const edgesTo = new Map<Address, Edge[]>()
  const edgesOfPool = new Map<Pool, readonly Edge[]>()
  for (const pool of snapshot.pools) {
    const edges = before?.edgesOfPool.get(pool) ?? toEdges(pool)
    edgesOfPool.set(pool, edges)
    for (const edge of edges) {
      append(edgesFrom, edge.tokenIn, edge)
      append(edgesTo, edge.tokenOut, edge)
    }
  }
  const poolById = new Map(snapshot.pools.map((pool) => [pool.id, pool]))
  return { snapshot, edgesFrom, edgesTo, edgesOfPool, poolById }
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

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
