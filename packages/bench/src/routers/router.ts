import type { Bound, PlannedHop, Pool } from '@braid-swap/core'
import type { Market } from '../market.js'
import type { Request } from '../request.js'

/** What a router says about an order. */
export type Answer = {
  readonly hops: readonly PlannedHop[]
  /** The router's own certificate of how good that is; peers have none. */
  readonly bound?: Bound
}

/** A router with its market already loaded. */
export type ReadyRouter = {
  readonly name: string
  /** Whether it obeys `request.maxLegs`; peers do not know such a cap. */
  readonly capsLegs: boolean
  readonly quote: (request: Request) => Answer | undefined | Promise<Answer | undefined>
  /** Whether the independent checker proves the bound of an answer; only ours has one. */
  readonly proves?: (request: Request, bound: Bound) => boolean
  /** The same router after some pools moved, prepared from this one; only ours has it. */
  readonly update?: (moved: readonly Pool[]) => ReadyRouter
}

/** A routing algorithm. `ready` is what it does once per snapshot and is timed apart. */
export type Router = {
  readonly name: string
  readonly ready: (market: Market) => ReadyRouter | Promise<ReadyRouter>
}
