import type { Address } from '../../hex.js'
import type { Tick } from '../../math/concentrated.js'
import type { PoolBase } from '../family.js'

/** A concentrated-liquidity pool whose ticks are a linked list and whose fee a plugin may set. */
export type AlgebraIntegralPool = PoolBase & {
  readonly family: 'algebraIntegral'
  readonly tokens: readonly [Address, Address]
  /**
   * Parts per million: `lastFee` of `globalState()` or, with an adaptive fee, the fee in the block
   * of the newest timepoint. Swaps at a sliding fee do not use it.
   */
  readonly feePpm: number
  /** Present if a plugin sets the fee; `quotedAt` is then present too. */
  readonly adaptiveFee?: AdaptiveFee
  /** Present if a plugin slides the fee of each direction; `quotedAt` is then present too. */
  readonly slidingFee?: SlidingFee
  /** `price` of `globalState()`. */
  readonly sqrtPriceX96: bigint
  readonly tick: number
  /** Liquidity in range. */
  readonly liquidity: bigint
  /** All initialised ticks, ascending by index, without the two sentinels of the list. */
  readonly ticks: readonly Tick[]
}

/** The state of AlgebraBasePluginV1 that determines the fee. */
export type AdaptiveFee = {
  readonly config: FeeConfig
  readonly oracle: VolatilityOracle
}

/** The state of AlgebraBasePluginV2 that determines the fee of either direction. */
export type SlidingFee = {
  /** `s_baseFee()`: the fee in ppm where neither direction has moved the price more. */
  readonly baseFee: number
  /** `s_priceChangeFactor()`: thousandths of a price move by which the factors move. */
  readonly priceChangeFactor: number
  /**
   * The zero-to-one factor of `s_feeFactors()`, from 0 to 2·2⁹⁶. The other is 2·2⁹⁶ less this one.
   */
  readonly factorX96: bigint
  /** Unix seconds of the newest timepoint. */
  readonly timestamp: number
  /** The tick of the newest timepoint: where the pool was before the first swap of that block. */
  readonly tick: number
}

/**
 * `feeConfig()`: base fee and two sigmoids of volatility, in ppm and in volatility per 15 seconds.
 */
export type FeeConfig = {
  readonly alpha1: number
  readonly alpha2: number
  readonly beta1: number
  readonly beta2: number
  readonly gamma1: number
  readonly gamma2: number
  readonly baseFee: number
}

/** The plugin's ring buffer of timepoints, as far back as its fee needs. */
export type VolatilityOracle = {
  /** `averageTick` of the newest timepoint, over the day before it. */
  readonly averageTick: number
  /**
   * Ascending; the first is the latest one at least a day older than the newest, if there is one.
   */
  readonly timepoints: readonly Timepoint[]
}

/** Sums over all seconds up to a block. */
export type Timepoint = {
  /** Unix seconds. */
  readonly timestamp: number
  readonly tickCumulative: bigint
  /** Sum of the squared distance between tick and average tick. */
  readonly volatilityCumulative: bigint
}
