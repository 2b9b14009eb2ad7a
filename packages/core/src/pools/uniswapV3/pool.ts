import type { Address } from '../../hex.js'
import type { Tick } from '../../math/concentrated.js'
import type { PoolBase } from '../family.js'

/** An entry of a pool's price oracle: the sum of ticks over all seconds up to a block. */
export type Observation = {
  /** Unix seconds. */
  readonly timestamp: number
  readonly tickCumulative: bigint
}

/** A pool's ring of observations, as far back as its fee looks. */
export type Oracle = {
  /** Where the newest stands in the ring. */
  readonly index: number
  readonly cardinality: number
  readonly cardinalityNext: number
  /** How many more the ring holds before the first of these. */
  readonly older: number
  /** Ascending, the newest last. */
  readonly observations: readonly Observation[]
}

/** What a fee that follows the price is made of, as Slipstream's DynamicSwapFeeModule keeps it. */
export type DynamicFee = {
  /** Parts per million of the input, times a million, for each tick between price and average. */
  readonly scalingFactor: bigint
  readonly capPpm: number
  /** The tick spacing's own fee, paid where the factory refuses the module's. */
  readonly fallbackPpm: number
  /** Seconds the average goes back. */
  readonly secondsAgo: number
  readonly oracle: Oracle
}

/** A concentrated-liquidity pool as Uniswap V3 and its forks, with a fixed or a moving fee. */
export type UniswapV3Pool = PoolBase & {
  readonly family: 'uniswapV3'
  readonly tokens: readonly [Address, Address]
  /** Parts per million of the input: the fee, or what a moving one starts from. */
  readonly feePpm: number
  /** Gas that a swap takes beyond one through Uniswap's own pool. */
  readonly extraGas?: number
  /** Present where the fee moves; `quotedAt` is then as well. */
  readonly dynamicFee?: DynamicFee
  readonly tickSpacing: number
  readonly sqrtPriceX96: bigint
  readonly tick: number
  /** Liquidity in range. */
  readonly liquidity: bigint
  /** All initialised ticks, ascending by index. */
  readonly ticks: readonly Tick[]
}
