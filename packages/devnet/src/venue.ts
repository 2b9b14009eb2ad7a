import type { Address } from '@braid-swap/core'

/** A deployment of a pool family on the chain. */
export type Venue = {
  readonly id: string
  readonly family: 'uniswapV2' | 'uniswapV3'
  readonly factory: Address
  /** Parts per million of the input; for families whose pools do not tell. */
  readonly feePpm?: number
  readonly fromBlock?: bigint
}

/** A pool of the devnet. */
export type DevnetPool = {
  readonly address: Address
  /** Id of its venue. */
  readonly venue: string
  readonly family: Venue['family']
  /** Ascending, as token0() and token1(). */
  readonly tokens: readonly [Address, Address]
  /** Parts per million of the input. */
  readonly feePpm: number
}
