import { type Address, type Direction, NATIVE, type Pool, type Snapshot } from '@braid-swap/core'
import { type Curve, toCurve } from '@braid-swap/core/families'

/** A pool used in one direction; its curve is built on first use. */
export type Edge = {
  readonly pool: Pool
  readonly direction: Direction
  readonly tokenIn: Address
  readonly tokenOut: Address
  readonly curve: Curve
}

/**
 * The edges of a snapshot by token. The benchmark has its own index, so that emulations and
 * evaluator do not depend on the data structures of the solver under test.
 */
export type Edges = {
  readonly from: ReadonlyMap<Address, readonly Edge[]>
  readonly ofPool: ReadonlyMap<Pool, readonly Edge[]>
}

/** Indexes a snapshot without the wrap pool, which is not a trade. */
export function indexEdges(snapshot: Snapshot): Edges {
  const from = new Map<Address, Edge[]>()
  const ofPool = new Map<Pool, Edge[]>()
  for (const pool of snapshot.pools) {
    if (pool.tokens.includes(NATIVE)) continue
    const own: Edge[] = []
    for (const [i, tokenIn] of pool.tokens.entries()) {
      for (const [o, tokenOut] of pool.tokens.entries()) {
        if (i !== o) own.push(toEdge(pool, { in: i, out: o }, tokenIn, tokenOut))
      }
    }
    ofPool.set(pool, own)
    for (const edge of own) {
      const list = from.get(edge.tokenIn)
      if (list) list.push(edge)
      else from.set(edge.tokenIn, [edge])
    }
  }
  return { from, ofPool }
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
