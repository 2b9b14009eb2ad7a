import type { Hex } from '../hex.js'
import type { StartPrices } from './select.js'

/** What is neither market nor order: the terms on which a quote is made. */
export type Options = {
  /** `net` (default) maximises the output less its gas, `gross` the output alone. */
  readonly objective?: 'net' | 'gross'
  /** Wei of native per gas; by default the snapshot's own reading. */
  readonly gasPrice?: bigint
  /** Most gas the whole transaction may be estimated at; by default 0.8 of the block's limit. */
  readonly maxGas?: number
  /** Most hops on any path; by default 5 for a single path and no limit within a split. */
  readonly maxHops?: number
  /** Most hops of the whole route; 24 by default. */
  readonly maxLegs?: number
  /** Pools, by id, that must not be used. */
  readonly excludedPools?: ReadonlySet<Hex>
  /** Prices to start from, as a former {@link Solution} left them; they change the time, not the answer's validity. */
  readonly start?: StartPrices
  /** Asked between stages, for core reads no clock: true ends the search with the best route so far. */
  readonly shouldStop?: () => boolean
}
