import type { Address } from '../../hex.js'
import type { PoolBase } from '../family.js'

/** A pair with a fee per input token, either constant-product or stable (x³y + xy³). */
export type CamelotPool = PoolBase & {
  readonly family: 'camelot'
  readonly tokens: readonly [Address, Address]
  readonly stableSwap: boolean
  /** As `getReserves()`: uint112 each. */
  readonly reserves: readonly [bigint, bigint]
  /** 10^decimals of each token. */
  readonly precisionMultipliers: readonly [bigint, bigint]
  /** Fee on an input of each token, in units of 10⁻⁵. */
  readonly feePercents: readonly [number, number]
  /**
   * The part of the fee, in units of 10⁻⁵, that leaves a stable pair in the swap: the factory's
   * `ownerFeeShare`, 0 without a recipient.
   */
  readonly ownerFeeShare: number
}
