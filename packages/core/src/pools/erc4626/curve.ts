import { piecesOfLines } from '../../math/lines.js'
import { inputAtOf, limitOf, outOf, priceOf } from '../../math/pieces.js'
import type { Curve, Direction } from '../family.js'
import type { Erc4626Pool } from './pool.js'

// Far above the supply of any token, in wei.
const MOST = 2 ** 128
// A double just below one, so that rounding to a float never exceeds a limit.
const BELOW = 1 - 2 ** -52

/**
 * The vault as a gain function: a line with its rate as slope, up to the cap or the total supply.
 */
export function toCurve(pool: Erc4626Pool, direction: Direction): Curve {
  const { totalAssets, totalSupply, virtuals, assetCap } = pool
  const isFresh = virtuals[0] === 0n && totalSupply === 0n
  const shares = isFresh ? 1 : Number(totalSupply + virtuals[0])
  const assets = isFresh ? 1 : Number(totalAssets + virtuals[1])
  const isDeposit = direction.in === 0
  const room = assetCap === undefined ? MOST : Number(assetCap - totalAssets) * BELOW
  const end = Math.min(MOST, Math.max(0, isDeposit ? room : Number(totalSupply) * BELOW))
  const price = assets === 0 ? 0 : isDeposit ? shares / assets : assets / shares
  const pieces = piecesOfLines([{ end, price }])
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
