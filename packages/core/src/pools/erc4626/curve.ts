import { inputAtOf, limitOf, outOf, priceOf } from '../../math/pieces.js'
import { piecesOfLines } from '../../math/piecewiseLinear.js'
import type { Curve, Direction } from '../family.js'
import { MAX_UINT256, rateOf } from './exact.js'
import type { Erc4626Pool } from './pool.js'

// Far above the supply of any token, in wei: pieces up to here are short, so that prices have a slope.
const LARGE = 2 ** 128
const MAX_INPUT = 2 ** 256
// Slightly below one, so that rounding to floats never exceeds a limit.
const JUST_BELOW_ONE = 1 - 2 ** -50

/**
 * The vault as a gain function: a line with its rate as slope, up to the cap or the total supply.
 */
export function toCurve(pool: Erc4626Pool, direction: Direction): Curve {
  const { totalAssets, totalSupply, virtuals, assetCap = MAX_UINT256 } = pool
  const [shares, assets] = rateOf(pool).map(Number) as [number, number]
  const isDeposit = direction.in === 0
  const price = assets === 0 ? 0 : isDeposit ? shares / assets : assets / shares
  // Deposits end at the cap and where all shares fill a uint256, redemptions at all shares; solmate
  // multiplies the amount by a total in a uint256.
  const room = Math.min(
    Number(isDeposit ? assetCap - totalAssets : totalSupply),
    isDeposit && price > 0 ? Number(MAX_UINT256 - totalSupply) / price : 2 ** 256,
    virtuals[1] === 0n ? 2 ** 256 / (isDeposit ? shares : assets) : 2 ** 256,
  )
  const isOverflown = Math.max(shares, assets) >= 2 ** 256
  const end = isOverflown ? 0 : Math.min(MAX_INPUT, Math.max(0, room)) * JUST_BELOW_ONE
  const pieces = piecesOfLines([
    { end: Math.min(LARGE, end), price },
    { end, price },
  ])
  return {
    out: (x) => outOf(pieces, x),
    price: (x) => priceOf(pieces, x),
    inputAt: (p) => inputAtOf(pieces, p),
    limit: limitOf(pieces),
    pieces,
  }
}

/** Vaults with a fee are not loaded. */
export function feeRate(): number {
  return 0
}
