import type { Address } from '../../hex.js'
import type { Tick } from '../../math/concentrated.js'
import type { PoolBase } from '../family.js'

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
