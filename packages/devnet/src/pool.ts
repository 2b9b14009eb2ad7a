import type { Address } from '@braid-swap/core'

/** A pool of the devnet. */
export type DevnetPool = {
  readonly address: Address
  /** Id of its venue. */
  readonly venue: string
  readonly family: 'uniswapV2' | 'uniswapV3' | 'algebraIntegral' | 'algebraV1'
  /** Ascending, as token0() and token1(). */
  readonly tokens: readonly [Address, Address]
  /** Parts per million of the input; where it moves, what it begins with. */
  readonly feePpm: number
}

/** A swap of `from`'s tokens through one pool. */
export type PoolSwap = {
  readonly pool: DevnetPool
  readonly from: Address
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** Wei. */
  readonly amountIn: bigint
}
