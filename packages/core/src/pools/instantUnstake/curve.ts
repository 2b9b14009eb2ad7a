import { piecesOfLines } from '../../math/piecewiseLinear.js'
import type { Curve, Direction } from '../family.js'
import { piecesCurve } from '../piecesCurve.js'
import { getAmountOut, largestInput } from './exact.js'
import type { InstantUnstakePool } from './pool.js'

const BIPS = 10_000
// Slightly below one, so that rounding to floats never exceeds the limit.
const JUST_BELOW_ONE = 1 - 2 ** -50

/** A line with the rate after the fee as slope, up to all that the pool has; nothing in the other direction. */
export function toCurve(pool: InstantUnstakePool, direction: Direction): Curve {
  const kept = 1 - pool.feeRateBps / BIPS
  const price = (kept * Number(pool.rate)) / 1e18
  const most = largestInput(pool)
  const end = getAmountOut(pool, direction, most) > 0n ? Number(most) * JUST_BELOW_ONE : 0
  const curve = piecesCurve(undefined, () => piecesOfLines([{ end, price }]))
  // The fee is rounded down, which leaves up to a wei more of the input.
  return Object.assign(curve, { extraIn: end > 0 && kept < 1 ? 1 / kept : 0 })
}

/** The fee, which is part of the input. */
export function feeRate({ feeRateBps }: InstantUnstakePool): number {
  return feeRateBps / BIPS
}
