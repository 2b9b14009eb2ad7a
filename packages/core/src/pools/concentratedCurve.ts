import type { Concentrated } from '../math/concentrated.js'
import { concentratedPieces, spotPrice } from '../math/concentratedPieces.js'
import { cutPieces, limitOf } from '../math/pieces.js'
import type { Curve, Direction } from './family.js'
import { piecesCurve } from './piecesCurve.js'

/** Up to this input, only the ticks limit a pool. */
const PLENTY = 2 ** 112
// Lowers the limit by a few units of float precision, so that rounding never exceeds it.
const BELOW = 1 - 2 ** -50

/**
 * Concentrated liquidity with one fee as constant-product pieces, from the current price outwards.
 * `tickGas` is the gas of crossing from one piece to the next. `mostIn` is the most wei that the contract can
 * take, if that may be less than the ticks can; it is called only for a pool that could take 2¹¹².
 */
export function concentratedCurve(
  pool: Concentrated,
  direction: Direction,
  of: { readonly feePpm: number; readonly tickGas: number; readonly mostIn?: () => number },
): Curve {
  const { feePpm, tickGas, mostIn } = of
  const zeroForOne = direction.in === 0
  const price = pool.liquidity > 0n ? spotPrice(pool, zeroForOne) : undefined
  const spot = price && (1 - feePpm / 1e6) * price
  const curve = piecesCurve(spot, () => {
    const pieces = concentratedPieces(pool, zeroForOne, feePpm)
    if (!mostIn || limitOf(pieces) <= PLENTY) return pieces
    return cutPieces(pieces, mostIn() * BELOW)
  })
  return Object.assign(curve, { stepGas: tickGas })
}
