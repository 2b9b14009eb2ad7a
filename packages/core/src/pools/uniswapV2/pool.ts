import type { Address } from '../../hex.js'
import type { PoolBase } from '../family.js'

/** A constant-product pair with any input fee. */
export type UniswapV2Pool = PoolBase & {
  readonly family: 'uniswapV2'
  readonly tokens: readonly [Address, Address]
  /** As `getReserves()`: uint112 each. */
  readonly reserves: readonly [bigint, bigint]
  /** Input fee in parts per million: 3000 for Uniswap, 2500 for Pancake. */
  readonly feePpm: number
}
