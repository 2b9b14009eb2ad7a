import type { Address } from '../../hex.js'
import type { Tick } from '../../math/concentrated.js'
import type { PoolBase } from '../family.js'

/** A concentrated-liquidity pool that computes its fee from the day's volatility and volume. */
export type AlgebraV1Pool = PoolBase & {
  readonly family: 'algebraV1'
  readonly tokens: readonly [Address, Address]
  /** `fee` of `globalState()`, in ppm, as of the block of the newest timepoint. */
  readonly feePpm: number
  /** From the pool's data storage operator. */
  readonly feeConfig: VolumeFeeConfig
  readonly oracle: VolumeOracle
  /** Ticks per bit of `tickTable`: 60 in 1.0, 1 in 1.9. */
  readonly ticksPerBit: number
  /** `price` of `globalState()`. */
  readonly sqrtPriceX96: bigint
  readonly tick: number
  /** Liquidity in range. */
  readonly liquidity: bigint
  /** All initialised ticks, ascending by index. */
  readonly ticks: readonly Tick[]
}

/**
 * `feeConfig()`: a base fee, and two sigmoids of volatility whose sum is scaled by one of volume.
 */
export type VolumeFeeConfig = {
  /** In ppm, like alpha2 and baseFee. */
  readonly alpha1: number
  readonly alpha2: number
  /** In volatility per 15 seconds, like beta2, gamma1 and gamma2. */
  readonly beta1: number
  readonly beta2: number
  readonly gamma1: number
  readonly gamma2: number
  /** In volume per liquidity over a day, in units of 1/128, like volumeGamma. */
  readonly volumeBeta: number
  readonly volumeGamma: number
  readonly baseFee: number
}

/** The pool's ring buffer of timepoints, as far back as its fee needs. */
export type VolumeOracle = {
  /** `averageTick` of the newest timepoint. */
  readonly averageTick: number
  /** `volumePerLiquidityInBlock`: volume of the swaps since the newest timepoint, Q64. */
  readonly volumePerLiquidityX64: bigint
  /**
   * Ascending; the first is the latest one at least a day older than the newest, if there is one.
   */
  readonly timepoints: readonly VolumeTimepoint[]
}

/** Sums over all seconds up to a block. */
export type VolumeTimepoint = {
  /** Unix seconds. */
  readonly timestamp: number
  readonly tickCumulative: bigint
  /** Sum of the squared distance between tick and average tick. */
  readonly volatilityCumulative: bigint
  /** Volume per liquidity of all swaps in earlier blocks, Q64. */
  readonly volumePerLiquidityCumulative: bigint
}
