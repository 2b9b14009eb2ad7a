/**
 * The certificate of an answer: a bound on every route, and what is needed to recompute it. The solver
 * writes it, and `checkBound` reads it.
 */
import type { Fee } from '../fee.js'
import type { Address, Hex } from '../hex.js'

/**
 * A certificate: no acyclic route over the clean pools, within the terms, is worth more than
 * `amount`. It is valid at any prices; good prices make it tight. See docs/solver.md.
 */
export type Bound = {
  /** Wei of the token out, rounded up. Bounds the output less its gas if `objective` is `net`. */
  readonly amount: bigint
  readonly objective: 'net' | 'gross'
  /** Units of the token out per gas; 0 if gas is free, cannot be valued or does not count. */
  readonly gasCost: number
  /** Most hops of the route. */
  readonly maxLegs: number
  /** Most gas of the whole transaction. */
  readonly maxGas: number
  /**
   * Pools off the market: the bound counts them only as a hop from the token in to the token out.
   */
  readonly setAside: readonly Hex[]
  /** Pools that the order excluded. */
  readonly excluded: readonly Hex[]
  /** The only tokens between the ends of the routes that the bound covers; absent if all. */
  readonly onlyIntermediates?: readonly Address[]
  /** The integrator's fee that every route pays; `amount` is after it. Absent if there is none. */
  readonly fee?: Pick<Fee, 'of' | 'ppm'>
  /** ln ν per token, ν the worth of a raw unit in raw units of the token out. */
  readonly prices: Readonly<Record<Address, number>>
  /** Units of the token out that a leg costs under the cap on legs; at least 0, by default 0. */
  readonly legPrice?: number
  /**
   * If present, the bound is that over simple paths (docs/solver.md), with these edges open: they
   * count by their first price and not by their surplus.
   */
  readonly open?: readonly {
    readonly pool: Hex
    readonly tokenIn: Address
    readonly tokenOut: Address
  }[]
}
