import type { Address } from '../../hex.js'
import type { PoolBase } from '../family.js'

/** The variants differ in Newton's method for y, in the last wei of the quote, and in the fee. */
export type SolidlyVariant = 'solidly' | 'ramses' | 'velodrome'

/** A pair that is either volatile (xy) or stable (x³y + xy³), with a fee on the input. */
export type SolidlyPool = PoolBase & {
  readonly family: 'solidly'
  readonly tokens: readonly [Address, Address]
  readonly variant: SolidlyVariant
  readonly stable: boolean
  /** As `getReserves()`. */
  readonly reserves: readonly [bigint, bigint]
  /** 10^decimals of each token, as in `metadata()`. */
  readonly units: readonly [bigint, bigint]
  /** Input fee in parts per million. */
  readonly feePpm: number
}
