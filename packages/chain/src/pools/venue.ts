import type { Address, Hex, Pool } from '@braid-swap/core'
import type { LadderProtocol, SolidlyVariant } from '@braid-swap/core/families'

/** The families that have contracts; wrapping has no state to load. */
export type LoadedFamily = Exclude<Pool['family'], 'wrap'>

/**
 * The source of a swap's fee: the pool's `currentFee()` (Ramses), or its factory, which calls
 * a module (Slipstream).
 */
export type FeeSource = 'currentFee' | 'swapFeeModule'

/** A deployment of a family on a chain. */
export type Venue = {
  /** Letters, digits and dashes; it names the venue in snapshots and routes. */
  readonly id: string
  readonly family: LoadedFamily
  /** The contract that creates the pools and lists them or logs their creation. */
  readonly factory: Address
  /** Input fee in parts per million, for families whose pools do not report it; default 3000. */
  readonly feePpm?: number
  /** Fees of its pools in parts per million, if a factory finds a pool by its fee. */
  readonly feesPpm?: readonly number[]
  /** Tick spacings of its pools, if a factory finds a pool by its tick spacing instead. */
  readonly tickSpacings?: readonly number[]
  /** Code hashes of plugins and fee modules that the operator has confirmed, in addition to the known ones. */
  readonly modules?: readonly Hex[]
  /** The contract that reports the fee of a swap, if it is not the pool's constant `fee()`. */
  readonly feeSource?: FeeSource
  /** Gas of a swap in addition to one through the pools its family is named after. */
  readonly extraGas?: number
  /** Quote function and swap call of its sampled pools; default `estimateSwap`. */
  readonly protocol?: LadderProtocol
  /**
   * The only pairs whose pool is served, if the factory also lists pools that must not be, or does not say
   * which tokens it trades. Absent: all pools that it lists.
   */
  readonly pairs?: readonly (readonly [Address, Address])[]
  /** Part by which the outputs of its sampled pools are lowered, in parts per million; default 0. */
  readonly haircutPpm?: number
  /** Variant of its Solidly pairs; default `solidly`. */
  readonly variant?: SolidlyVariant
  /** The token that stands for the native one, if its pools can trade the native token itself. */
  readonly wrappedNative?: Address
  /** Facts not confirmed on chain yet, each as a clause; `braid doctor` checks what it can. */
  readonly toConfirm?: readonly string[]
  /** The block in which the factory was created; logs before it are not searched. Default 0. */
  readonly fromBlock?: bigint
}
