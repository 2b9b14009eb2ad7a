import type { Address } from '@braid-swap/core'

/** A pool of the devnet. */
export type DevnetPool = {
  readonly address: Address
  /** The id of its venue. */
  readonly venue: string
  readonly family: 'uniswapV2' | 'uniswapV3' | 'algebraIntegral' | 'algebraV1'
  /** In ascending order, as token0() and token1(). */
  readonly tokens: readonly [Address, Address]
  /** The fee in parts per million of the input; the initial fee if it changes. */
  readonly feePpm: number
}

/** A swap of `from`'s tokens through one pool. */
export type PoolSwap = {
  readonly pool: DevnetPool
  readonly from: Address
  readonly tokenIn: Address
  readonly tokenOut: Address
  /** In wei. */
  readonly amountIn: bigint
}
