import type { Order, Pool, Route } from '@braid-swap/core'

/** A swap that reverts. */
export type RevertingSwap = { readonly order: Order; readonly route: Route }

/** What its order is to do without, and what is known of it. */
export type Fault = { readonly pools: readonly Pool[]; readonly reason: string }

/**
 * The fault of a swap that reverts: pools that do not pay by themselves, or else those with a token that nobody vouches
 * for. `undefined` if there is none, or the node does not tell. Has pools that are to blame left out, with the tokens of
 * the route that no longer move as pools assume, and their venues asked.
 */
export type LearnFrom = (swap: RevertingSwap, id: string) => Promise<Fault | undefined>
