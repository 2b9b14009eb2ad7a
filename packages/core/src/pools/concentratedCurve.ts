import type { Concentrated } from '../math/concentrated.js'
import { concentratedPieces, spotPrice } from '../math/concentratedPieces.js'
import type { Curve, Direction } from './family.js'
import { piecesCurve } from './piecesCurve.js'

/**
 * Concentrated liquidity with one fee as constant-product pieces, from the current price outwards.
 * `tickGas` is the gas of crossing from one piece to the next.
 */
export function concentratedCurve(
  pool: Concentrated,
  direction: Direction,
  { feePpm, tickGas }: { readonly feePpm: number; readonly tickGas: number },
): Curve {
  const zeroForOne = direction.in === 0
  const price = pool.liquidity > 0n ? spotPrice(pool, zeroForOne) : undefined
  const spot = price && (1 - feePpm / 1e6) * price
  const curve = piecesCurve(spot, () => concentratedPieces(pool, zeroForOne, feePpm))
  return Object.assign(curve, { stepGas: tickGas })
}
