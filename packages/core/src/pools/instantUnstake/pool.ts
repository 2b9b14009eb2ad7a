import type { Address } from '../../hex.js'
import type { PoolBase } from '../family.js'

/**
 * A staking manager that buys its staked token back at once, at the staking rate less a fee, out of a pool of
 * native tokens. It sells none. Its id is the manager's address.
 */
export type InstantUnstakePool = PoolBase & {
  readonly family: 'instantUnstake'
  /** The staked token, then the wrapped native token. */
  readonly tokens: readonly [Address, Address]
  /** Value of 10¹⁸ wei of token 0, in wei of token 1. */
  readonly rate: bigint
  /** Part of the input that is a fee, in bips. */
  readonly feeRateBps: number
  /** `getEffectiveBuffer()`: the most that the pool pays, in wei of token 1. */
  readonly buffer: bigint
  /** `minWithdrawalAmount()`, in wei of token 0. */
  readonly minAmountIn: bigint
  /** The rate, the fee and the pool change without a log of the manager, so they are read in every block. */
  readonly sampledAt: bigint
  readonly quotedAt: bigint
}
