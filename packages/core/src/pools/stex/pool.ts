import type { Address } from '../../hex.js'
import type { PoolBase } from '../family.js'

/** By what is staked against what is not: the fee rises linearly from one ratio to another. */
export type RatioFee = {
  readonly kind: 'ratio'
  readonly minThresholdRatioBips: number
  readonly maxThresholdRatioBips: number
  readonly feeMinBips: number
  readonly feeMaxBips: number
}

/** By how much of token 1 a swap would leave: a list of fees, from the first to the last threshold. */
export type StepsFee = {
  readonly kind: 'steps'
  /** At most this much left: the last fee. */
  readonly minThresholdToken1: bigint
  /** At least this much left: the first fee. */
  readonly maxThresholdToken1: bigint
  /** In bips of the input; they never fall. */
  readonly stepsBips: readonly number[]
}

/**
 * A Valantis pool of the Stake Exchange: it redeems a staked token for the wrapped native one at what
 * the staking says, less a fee that rises with the amount, and gives staked tokens back for nothing.
 * Part of its state lies in other contracts and moves without logs.
 */
export type StexPool = PoolBase & {
  readonly family: 'stex'
  /** The staked token, then the wrapped native token. */
  readonly tokens: readonly [Address, Address]
  readonly reserves: readonly [bigint, bigint]
  /** Wei of token 1 that 10¹⁸ wei of token 0 are worth. */
  readonly rate: bigint
  /** Token 0 on its way through the unstaking queue. */
  readonly amountToken0PendingUnstaking: bigint
  /** Token 1 owed to who left the pool. */
  readonly amountToken1PendingLPWithdrawal: bigint
  /** Token 1 lent out: it counts for the fee, and cannot be paid. */
  readonly amountToken1LendingPool: bigint
  readonly fee: RatioFee | StepsFee
  /** The manager's part of each fee, which leaves the pool at once. */
  readonly poolManagerFeeBips: number
  readonly isPaused: boolean
  /** Unix seconds of the block it was read in; for any block but the next it pays nothing. */
  readonly sampledAt: bigint
  readonly quotedAt: bigint
}
