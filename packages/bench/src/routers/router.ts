import type { Bound, Pool } from '@braid-swap/core'
import type { PlannedHop } from '@braid-swap/core/advanced'
import type { Market } from '../market.js'
import type { Request } from '../request.js'

/** A router's answer to a request. */
export type Answer = {
  readonly hops: readonly PlannedHop[]
  /** The router's own upper bound; peers have none. */
  readonly bound?: Bound
}

/** A router with its market already loaded. */
export type ReadyRouter = {
  readonly name: string
  /** True if it respects `request.maxLegs`; peers have no such cap. */
  readonly capsLegs: boolean
  readonly quote: (request: Request) => Answer | undefined | Promise<Answer | undefined>
  /** Asks the independent checker to confirm the bound of an answer; only ours has one. */
  readonly proves?: (request: Request, bound: Bound) => boolean
  /** The router after some pools changed, built incrementally; only ours has it. */
  readonly update?: (moved: readonly Pool[]) => ReadyRouter
}

/** A routing algorithm. `ready` runs once per snapshot and is timed separately. */
export type Router = {
  readonly name: string
  readonly ready: (market: Market) => ReadyRouter | Promise<ReadyRouter>
}
