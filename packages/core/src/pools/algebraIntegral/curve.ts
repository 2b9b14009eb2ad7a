import { concentratedPieces, spotPrice } from '../../math/concentratedPieces.js'
import type { Curve, Direction } from '../family.js'
import { piecesCurve } from '../piecesCurve.js'
import { updateAdaptiveFee } from './fee.js'
import type { AlgebraIntegralPool } from './pool.js'

/** The pool as constant-product pieces between initialised ticks, from the current price outwards. */
export function toCurve(pool: AlgebraIntegralPool, direction: Direction): Curve {
  const zeroForOne = direction.in === 0
  const { feePpm } = updateAdaptiveFee(pool)
  const spot = pool.liquidity > 0n ? (1 - feePpm / 1e6) * spotPrice(pool, zeroForOne) : undefined
  return piecesCurve(spot, () => concentratedPieces(pool, zeroForOne, feePpm))
}
