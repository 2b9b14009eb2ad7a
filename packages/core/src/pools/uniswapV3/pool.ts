import type { Address } from '../../hex.js'
import type { PoolBase } from '../family.js'

/** An initialised tick and the liquidity that joins when the price crosses it upwards. */
export type Tick = { readonly index: number; readonly liquidityNet: bigint }

/** A concentrated-liquidity pool with a fixed fee, as Uniswap V3 and its straight forks. */
export type UniswapV3Pool = PoolBase & {
  readonly family: 'uniswapV3'
  readonly tokens: readonly [Address, Address]
  /** `fee()`, parts per million of the input. */
  readonly feePpm: number
  readonly tickSpacing: number
  readonly sqrtPriceX96: bigint
  readonly tick: number
  /** Liquidity in range. */
  readonly liquidity: bigint
  /** All initialised ticks, ascending by index. */
  readonly ticks: readonly Tick[]
}
