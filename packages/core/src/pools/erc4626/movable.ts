import type { Movable } from '../family.js'
import type { Erc4626Pool } from './pool.js'

const ONE = 10n ** 18n

/** Shares for assets, which a donation lowers; deposits and redemptions keep it but for rounding. */
export function movable({ totalAssets, totalSupply, virtuals }: Erc4626Pool): Movable {
  const [shares, assets] = [totalSupply + virtuals[0], totalAssets + virtuals[1]]
  return { rates: assets === 0n ? [] : [(shares * ONE) / assets], feePpm: 0, isDonatable: true }
}
