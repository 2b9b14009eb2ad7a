import type { Address } from '../../hex.js'
import type { PoolBase } from '../family.js'

/** A vault that holds its assets itself: it gives shares for assets, and assets for shares. */
export type Erc4626Pool = PoolBase & {
  readonly family: 'erc4626'
  /** The asset, then the share, which is the vault itself. */
  readonly tokens: readonly [Address, Address]
  readonly totalAssets: bigint
  readonly totalSupply: bigint
  /**
   * What the vault adds to its shares and to its assets before it divides: `[10^offset, 1]` for
   * OpenZeppelin's ERC4626, `[0, 0]` for solmate's.
   */
  readonly virtuals: readonly [shares: bigint, assets: bigint]
  /** The most `totalAssets` may become by a deposit; absent where there is no cap. */
  readonly assetCap?: bigint
}
