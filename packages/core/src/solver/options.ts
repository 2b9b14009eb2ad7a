/** The options of a caller. */
import type { Address, Hex } from '../hex.js'

/** Initial prices: ln of the worth of one raw unit in raw units of the token out, by address. */
export type StartPrices = Readonly<Record<Address, number>>

/** The inputs of a quote besides market and order. */
export type Options = {
  /** `net` (default) maximises the output less its gas, `gross` maximises the output. */
  readonly objective?: 'net' | 'gross'
  /** Wei of the native token per gas; by default that of the snapshot. */
  readonly gasPrice?: bigint
  /** Most estimated gas of the whole transaction; by default 0.8 of the block's limit. */
  readonly maxGas?: number
  /** Most hops on any path; by default 5 for a single path and unlimited in a split. */
  readonly maxHops?: number
  /** Most hops of the whole route; 24 by default. */
  readonly maxLegs?: number
  /**
   * What is done for a bound that does not prove the answer: `fast` nothing, `paths` bounds simple
   * paths, which tightens small orders, and `deep` minimises that bound too, which takes several times
   * as long. By default `paths` in a small market and `fast` in others.
   */
  readonly certificate?: 'fast' | 'paths' | 'deep'
  /** Pools, by id, that must not be used. */
  readonly excludedPools?: ReadonlySet<Hex>
  /** The only tokens that a route may pass between its ends, wrapped if native; all by default. */
  readonly onlyIntermediates?: ReadonlySet<Address>
  /**
   * Initial prices, from an earlier solution. They change the time, not the validity of the answer.
   */
  readonly start?: StartPrices
  /**
   * Called between stages; true ends the search with the best route so far. Core reads no clock.
   */
  readonly shouldStop?: () => boolean
  /** Called when a route is found, before its exact walk, so that callers can time the two. */
  readonly onSolved?: () => void
}
