import type { Address } from '../../hex.js'
import type { Tick } from '../../math/concentrated.js'
import type { PoolBase } from '../family.js'

/** An entry of a pool's price oracle: the sum of its tick over all seconds up to a block. */
export type Observation = {
  /** Unix seconds. */
  readonly timestamp: number
  readonly tickCumulative: bigint
}

/** A pool's ring buffer of observations, as far back as its fee needs. */
export type Oracle = {
  /** Index of the newest observation in the ring. */
  readonly index: number
  readonly cardinality: number
  readonly cardinalityNext: number
  /** Number of older observations in the ring, which are not in `observations`. */
  readonly older: number
  /** Ascending, the newest last. */
  readonly observations: readonly Observation[]
}

/** The parameters of a dynamic fee, as in Slipstream's DynamicSwapFeeModule. */
export type DynamicFee = {
  /** Ppm of the input, times 10⁶, per tick between price and average. */
  readonly scalingFactor: bigint
  readonly capPpm: number
  /** The fee of the tick spacing, which applies if the factory refuses the module's fee. */
  readonly fallbackPpm: number
  /** Window of the average, in seconds. */
  readonly secondsAgo: number
  readonly oracle: Oracle
}

/** A concentrated-liquidity pool of Uniswap V3 or a fork, with a fixed or a dynamic fee. */
export type UniswapV3Pool = PoolBase & {
  readonly family: 'uniswapV3'
  readonly tokens: readonly [Address, Address]
  /** Ppm of the input: the fee, or the base of a dynamic fee. */
  readonly feePpm: number
  /** Gas of a swap in addition to one through Uniswap's own pool. */
  readonly extraGas?: number
  /** Present if the fee is dynamic; `quotedAt` is then present too. */
  readonly dynamicFee?: DynamicFee
  readonly tickSpacing: number
  readonly sqrtPriceX96: bigint
  readonly tick: number
  /** Liquidity in range. */
  readonly liquidity: bigint
  /** All initialised ticks, ascending by index. */
  readonly ticks: readonly Tick[]
}
