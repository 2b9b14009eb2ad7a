import type { Address } from '../../hex.js'
import type { Tick } from '../../math/concentrated.js'
import type { PoolBase } from '../family.js'

/** A concentrated-liquidity pool that gives itself a fee by the day's volatility and volume. */
export type AlgebraV1Pool = PoolBase & {
  readonly family: 'algebraV1'
  readonly tokens: readonly [Address, Address]
  /** `fee` of `globalState()`, parts per million: since the newest timepoint's block. */
  readonly feePpm: number
  /** Of the pool's data storage operator. */
  readonly feeConfig: VolumeFeeConfig
  readonly oracle: VolumeOracle
  /** Ticks that one bit of `tickTable` stands for: 60 in 1.0, 1 in 1.9. */
  readonly ticksPerBit: number
  /** `price` of `globalState()`. */
  readonly sqrtPriceX96: bigint
  readonly tick: number
  /** Liquidity in range. */
  readonly liquidity: bigint
  /** All initialised ticks, ascending by index. */
  readonly ticks: readonly Tick[]
}

/** `feeConfig()`: base fee and two sigmoids of volatility, whose sum a third, of volume, scales. */
export type VolumeFeeConfig = {
  /** Ppm, as alpha2 and baseFee. */
  readonly alpha1: number
  readonly alpha2: number
  /** Volatility per 15 seconds, as beta2, gamma1 and gamma2. */
  readonly beta1: number
  readonly beta2: number
  readonly gamma1: number
  readonly gamma2: number
  /** Volume per liquidity over a day, in 128ths, as volumeGamma. */
  readonly volumeBeta: number
  readonly volumeGamma: number
  readonly baseFee: number
}

/** The pool's ring of timepoints, as far back as its fee looks. */
export type VolumeOracle = {
  /** `averageTick` of the newest timepoint. */
  readonly averageTick: number
  /** `volumePerLiquidityInBlock`: of the swaps since the newest timepoint, Q64. */
  readonly volumePerLiquidityX64: bigint
  /** Ascending, the newest last; the first is the last one a day or more before the newest. */
  readonly timepoints: readonly VolumeTimepoint[]
}

/** Sums over all seconds up to a block. */
export type VolumeTimepoint = {
  /** Unix seconds. */
  readonly timestamp: number
  readonly tickCumulative: bigint
  /** Of the squared distance between tick and average tick. */
  readonly volatilityCumulative: bigint
  /** Of the volume per liquidity of all swaps in earlier blocks, Q64. */
  readonly volumePerLiquidityCumulative: bigint
}
