import type { Address, SolidlyVariant } from '@braid-swap/core'
import type { FeeSource, LoadedFamily } from '../pools/loader.js'

/** A deployment of a family on a chain. */
export type Venue = {
  /** Letters, digits and dashes; it names the venue in snapshots and routes. */
  readonly id: string
  readonly family: LoadedFamily
  /** The contract that creates the pools and knows them all. */
  readonly factory: Address
  /** Input fee in parts per million, for families whose pools do not tell it; default 3000. */
  readonly feePpm?: number
  /** Fees its pools may have, in parts per million, where a pool is found by its fee. */
  readonly feesPpm?: readonly number[]
  /** Tick spacings its pools may have, where a pool is found by its spacing instead. */
  readonly tickSpacings?: readonly number[]
  /** Who tells the fee of a swap, where it is not the pool's `fee()` for good. */
  readonly feeSource?: FeeSource
  /** Gas that a swap takes beyond one through the pools its family is named after. */
  readonly extraGas?: number
  /** Whose kind of Solidly pairs it has; default `solidly`. */
  readonly variant?: SolidlyVariant
  /** What of it no contract was asked yet, each in a clause: `braid doctor` tells what it can. */
  readonly toConfirm?: readonly string[]
  /** The block the factory appeared in; logs before it are not searched. Default 0. */
  readonly fromBlock?: bigint
}
