import type { Direction } from './pools/family.js'
import type { Pool } from './pools/index.js'

/** The share of 100 %: a share is a uint24, and 0 means all that remains of the token. */
export const SHARE_ONE = 0xffffff

/** One swap through one pool with exact amounts, in wei. */
export type Hop = {
  readonly pool: Pool
  readonly direction: Direction
  /** Part of what remains of the token in: `amountIn = floor(remaining · share / 0xFFFFFF)`; 0 takes all. */
  readonly share: number
  readonly amountIn: bigint
  readonly amountOut: bigint
  /** Gas of this hop as the family estimates it. */
  readonly gas: number
}

/** Hops in the order they execute: a token's hops out come after every hop into it. */
export type Route = readonly Hop[]
