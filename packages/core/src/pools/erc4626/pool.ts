import type { Address } from '../../hex.js'
import type { PoolBase } from '../family.js'

/** A vault that holds its assets itself and exchanges assets for shares and shares for assets. */
export type Erc4626Pool = PoolBase & {
  readonly family: 'erc4626'
  /** The asset, then the share, which is the vault itself. */
  readonly tokens: readonly [Address, Address]
  readonly totalAssets: bigint
  readonly totalSupply: bigint
  /**
   * Virtual shares and assets, which the vault adds before it divides: `[10^offset, 1]` for
   * OpenZeppelin's ERC4626, `[0, 0]` for solmate's.
   */
  readonly virtuals: readonly [shares: bigint, assets: bigint]
  /** The largest `totalAssets` after a deposit; absent without a cap. */
  readonly assetCap?: bigint
}
