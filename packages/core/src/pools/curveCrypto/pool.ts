import type { Address } from '../../hex.js'
import type { CryptoSwapVersion } from '../../math/cryptoSwapBounds.js'
import type { PoolBase } from '../family.js'

/**
 * The last change of A and γ: both move linearly in time to those of the pool. One that was stopped begins and
 * ends when it was.
 */
export type CryptoRamp = {
  readonly initialA: bigint
  readonly initialGamma: bigint
  /** Unix seconds. */
  readonly initialTime: bigint
  readonly futureTime: bigint
}

/** A Curve pool of two coins (Twocrypto-NG) or three (Tricrypto-NG) that are not pegged to each other. */
export type CurveCryptoPool = PoolBase & {
  readonly family: 'curveCrypto'
  readonly tokens: readonly Address[]
  /** The version of the mathematics that the pool calls, which only bounds its values. */
  readonly version: CryptoSwapVersion
  /** In wei. */
  readonly balances: readonly bigint[]
  /** 10^(18 − decimals) of each coin. */
  readonly precisions: readonly bigint[]
  /** The prices of the coins after the first, in the first, around which liquidity is; 18 decimals. */
  readonly priceScales: readonly bigint[]
  /**
   * The invariant that the pool keeps, with 18 decimals. 0 after a swap that may have moved the price
   * scales: the pool then pays nothing until it is read again.
   */
  readonly D: bigint
  /** A times nⁿ, times 10⁴; after the ramp, if one is under way. */
  readonly A: bigint
  /** γ with 18 decimals; after the ramp, if one is under way. */
  readonly gamma: bigint
  /** Absent if A and γ never moved. With it, the pool depends on time (`quotedAt`). */
  readonly ramp?: CryptoRamp
  /** The fees in balance and far out of it, in 10⁻¹⁰ of the output. */
  readonly midFee: bigint
  readonly outFee: bigint
  /** The imbalance at which the fee begins to rise, with 18 decimals. */
  readonly feeGamma: bigint
  /** The value of a share, with 18 decimals; a swap that does not raise it reverts. */
  readonly virtualPrice: bigint
  readonly totalSupply: bigint
  /** The profit of all time, with 18 decimals, and the part of it that moves no price scale. */
  readonly xcpProfit: bigint
  readonly allowedExtraProfit: bigint
}
