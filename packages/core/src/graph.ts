import type { Address, Hex } from './hex.js'
import type { Curve, Direction } from './pools/family.js'
import type { Pool } from './pools/index.js'
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
  readonly poolById: ReadonlyMap<Hex, Pool>
}
