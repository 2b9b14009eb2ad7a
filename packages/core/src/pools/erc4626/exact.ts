import type { Direction } from '../family.js'
import type { Erc4626Pool } from './pool.js'

/** The most that a total can be. */
export const MAX_UINT256 = (1n << 256n) - 1n

/**
 * Exact number of shares that `deposit` mints or of assets that `redeem` pays; `0n` if it would
 * revert or give nothing.
 *
 *   shares = ⌊a·(S + vS) / (T + vA)⌋,  assets = ⌊s·(T + vA) / (S + vS)⌋
 *   `_convertToShares`, `_convertToAssets` of ERC4626, @openzeppelin/contracts 5.x; with
 *   vS = vA = 0 those of solmate, which are 1:1 without any shares
 */
export function getAmountOut(pool: Erc4626Pool, direction: Direction, amountIn: bigint): bigint {
  if (amountIn <= 0n) return 0n
  return direction.in === 0 ? sharesFor(pool, amountIn) : assetsFor(pool, amountIn)
}

/** The vault after that deposit or redemption: only total assets and total supply change. */
export function applySwap(pool: Erc4626Pool, direction: Direction, amountIn: bigint): Erc4626Pool {
  const amountOut = getAmountOut(pool, direction, amountIn)
  if (amountOut === 0n) return pool
  const { totalAssets, totalSupply } = pool
  return direction.in === 0
    ? { ...pool, totalAssets: totalAssets + amountIn, totalSupply: totalSupply + amountOut }
    : { ...pool, totalAssets: totalAssets - amountOut, totalSupply: totalSupply - amountIn }
}

function sharesFor(pool: Erc4626Pool, assets: bigint): bigint {
  const { totalAssets, totalSupply, assetCap = MAX_UINT256 } = pool
  if (totalAssets + assets > assetCap) return 0n
  const [numerator, denominator] = rateOf(pool)
  const shares = convert(pool, assets, [numerator, denominator])
  return totalSupply + shares > MAX_UINT256 ? 0n : shares
}

function assetsFor(pool: Erc4626Pool, shares: bigint): bigint {
  // No holder has more shares than the total supply.
  if (shares > pool.totalSupply) return 0n
  const [numerator, denominator] = rateOf(pool)
  return convert(pool, shares, [denominator, numerator])
}

/** Shares per asset as a fraction. */
export function rateOf({
  totalAssets,
  totalSupply,
  virtuals,
}: Erc4626Pool): readonly [bigint, bigint] {
  const [shares, assets] = virtuals
  if (shares === 0n && totalSupply === 0n) return [1n, 1n]
  return [totalSupply + shares, totalAssets + assets]
}

function convert(
  { virtuals }: Erc4626Pool,
  amount: bigint,
  [numerator, denominator]: readonly [bigint, bigint],
): bigint {
  if (denominator === 0n || numerator > MAX_UINT256 || denominator > MAX_UINT256) return 0n
  const product = amount * numerator
  // solmate multiplies in 256 bits, OpenZeppelin in 512.
  if (virtuals[1] === 0n && product > MAX_UINT256) return 0n
  return product / denominator
}

/** Never: a vault without assets still takes a deposit. */
export function isEmpty(_pool: Erc4626Pool): boolean {
  return false
}
