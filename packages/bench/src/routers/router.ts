import type { Address, Hex, PlannedHop, Pool } from '@braid-swap/core'
import type { Market } from '../market.js'
import type { Request } from '../request.js'

/** What a router says about an order. */
export type Answer = {
  readonly hops: readonly PlannedHop[]
  /** What the router itself claims of how good that is; peers claim nothing. */
  readonly claim?: Claim
}

/** A bound that no route is worth more than, and what proves it. */
export type Claim = {
  /** Upper bound on the net output, in wei of the token out. */
  readonly maxNet: number
  /** Token prices that prove it, in wei of the token out per wei. */
  readonly prices: ReadonlyMap<Address, number>
  /** Pools that it leaves out of account, for they look like free money. */
  readonly setAside: ReadonlySet<Hex>
  /** Wei of the token out per gas, as the router values it. */
  readonly gasCost: number
}

/** A router with its market already loaded. */
export type ReadyRouter = {
  readonly name: string
  /** Whether it obeys `request.maxLegs`; peers do not know such a cap. */
  readonly capsLegs: boolean
  readonly quote: (request: Request) => Answer | undefined | Promise<Answer | undefined>
  /** The same router after some pools moved, prepared from this one; only ours has it. */
  readonly update?: (moved: readonly Pool[]) => ReadyRouter
}

/** A routing algorithm. `ready` is what it does once per snapshot and is timed apart. */
export type Router = {
  readonly name: string
  readonly ready: (market: Market) => ReadyRouter | Promise<ReadyRouter>
}
