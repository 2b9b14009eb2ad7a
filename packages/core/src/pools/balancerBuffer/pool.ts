import type { Address } from '../../hex.js'
import type { PoolBase } from '../family.js'

/** The buffer of one ERC-4626 token in the vault of Balancer V3, as a pool of that token and its asset. */
export type BalancerBufferPool = PoolBase & {
  readonly family: 'balancerBuffer'
  /** The vault. The id is the wrapped token's address in 32 bytes, because that token may be a pool too. */
  readonly manager: Address
  /** The asset, then the wrapped token. */
  readonly tokens: readonly [Address, Address]
  /** The buffer's balance of each, in wei; at most 128 bits. */
  readonly balances: readonly [bigint, bigint]
  /** Shares that the wrapped token gives for so many assets, before it rounds down; below 2¹²⁸ and above 0. */
  readonly rate: readonly [shares: bigint, assets: bigint]
  /**
   * Part by which wrapping is quoted lower, in parts per million: above 0 if the wrapped token may earn
   * without a log, because then it gives fewer shares for an asset in each second.
   */
  readonly wrapHaircutPpm: bigint
  /** `getMinimumWrapAmount()`: smaller amounts, in or out, revert. */
  readonly minWrapAmount: bigint
  /** The rate changes without a log of the vault, so a buffer is read in every block. */
  readonly sampledAt: bigint
  readonly quotedAt: bigint
}
