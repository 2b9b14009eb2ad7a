import type { Address } from '../../hex.js'
import type { PoolBase } from '../family.js'

/** A pair with a fee for each token, either constant-product or stable (x³y + xy³). */
export type CamelotPool = PoolBase & {
  readonly family: 'camelot'
  readonly tokens: readonly [Address, Address]
  readonly stableSwap: boolean
  /** As `getReserves()`: uint112 each. */
  readonly reserves: readonly [bigint, bigint]
  /** 10^decimals of each token. */
  readonly precisionMultipliers: readonly [bigint, bigint]
  /** Fee on an input of each token, in hundred-thousandths. */
  readonly feePercents: readonly [number, number]
  /**
   * The part of the fee, in hundred-thousandths, that leaves a stable pair with the swap: the
   * factory's `ownerFeeShare`, 0 if nobody is to get it.
   */
  readonly ownerFeeShare: number
}
