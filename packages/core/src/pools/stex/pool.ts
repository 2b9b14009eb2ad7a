import type { Address } from '../../hex.js'
import type { PoolBase } from '../family.js'

/** A fee that is linear in the ratio of staked to unstaked amounts, between two ratios. */
export type RatioFee = {
  readonly kind: 'ratio'
  readonly minThresholdRatioBips: number
  readonly maxThresholdRatioBips: number
  readonly feeMinBips: number
  readonly feeMaxBips: number
}

/** A list of fees, selected by the amount of token 1 that a swap would leave in the pool. */
export type StepsFee = {
  readonly kind: 'steps'
  /** At or below this amount, the last fee applies. */
  readonly minThresholdToken1: bigint
  /** At or above this amount, the first fee applies. */
  readonly maxThresholdToken1: bigint
  /** In bips of the input, non-decreasing. */
  readonly stepsBips: readonly number[]
}

/**
 * A Valantis pool of a Stake Exchange: it redeems a staked token for the wrapped native one at the
 * staking rate less a fee that increases with the amount, and sells staked tokens without a fee.
 * Part of its state is in other contracts and changes without logs.
 */
export type StexPool = PoolBase & {
  readonly family: 'stex'
  /** The staked token, then the wrapped native token. */
  readonly tokens: readonly [Address, Address]
  readonly reserves: readonly [bigint, bigint]
  /** Value of 10¹⁸ wei of token 0, in wei of token 1. */
  readonly rate: bigint
  /** Token 0 in the unstaking queue. */
  readonly amountToken0PendingUnstaking: bigint
  /** Token 1 owed to liquidity providers who left. */
  readonly amountToken1PendingLPWithdrawal: bigint
  /** Token 1 lent: it counts for the fee but cannot be paid out. */
  readonly amountToken1LendingPool: bigint
  readonly fee: RatioFee | StepsFee
  /** The manager's share of each fee, which leaves the pool in the swap. */
  readonly poolManagerFeeBips: number
  readonly isPaused: boolean
  /**
   * Unix seconds of the block in which it was read; the state is valid only for the next second.
   */
  readonly sampledAt: bigint
  readonly quotedAt: bigint
}
