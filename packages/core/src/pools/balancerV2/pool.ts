import type { Address, Hex } from '../../hex.js'
import type { PoolBase } from '../family.js'
import type { AmpRamp } from '../weightedStable.js'

/** Of a weighted pool. */
export type WeightedForm = {
  readonly kind: 'weighted'
  /** The weight of each token with 18 decimals; their sum is 1. */
  readonly normalizedWeights: readonly bigint[]
}

/** Of a composable stable pool. */
export type ComposableStableForm = {
  readonly kind: 'composableStable'
  /** The amplification parameter times 1,000; after the ramp, if one is under way. */
  readonly amp: bigint
  /** Absent if the parameter does not change; with it, the pool depends on time (`quotedAt`). */
  readonly ramp?: AmpRamp
  /** The rate of each token in the pool. */
  readonly rates: readonly TokenRate[]
}

/**
 * The rate of a token with 18 decimals, which the pool keeps for a while. The first swap after
 * `expires` (unix seconds) takes the provider's `current` one instead. 10¹⁸ alone without a provider.
 */
export type TokenRate = {
  readonly cached: bigint
  readonly renewal?: { readonly expires: bigint; readonly current: bigint }
}

/** A weighted or composable stable pool in the vault of Balancer V2. */
export type BalancerV2Pool = PoolBase & {
  readonly family: 'balancerV2'
  /** In the vault's order, without the pool's own share token, which a stable pool also registers. */
  readonly tokens: readonly Address[]
  /** The vault's name of the pool: 32 bytes, the first 20 its address. */
  readonly poolId: Hex
  /** In wei. */
  readonly balances: readonly bigint[]
  /** 10^(18 − decimals) of each token. */
  readonly decimalScalingFactors: readonly bigint[]
  /** Part of the input, with 18 decimals. */
  readonly swapFee: bigint
  readonly form: WeightedForm | ComposableStableForm
}
