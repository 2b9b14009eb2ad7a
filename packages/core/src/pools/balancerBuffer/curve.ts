// The buffer as a line with its rate as slope, up to the buffer's balance.

import { inputAtOf, limitOf, outOf, priceOf as priceAt } from '../../math/pieces.js'
import { piecesOfLines } from '../../math/piecewiseLinear.js'
import type { Curve, Direction } from '../family.js'
import { largestInput, priceOf } from './exact.js'
import type { BalancerBufferPool } from './pool.js'

// Slightly below one, so that rounding to floats never exceeds the limit.
const JUST_BELOW_ONE = 1 - 2 ** -50

/** The buffer in one direction as a gain function, in wei; never below what the vault pays. */
export function toCurve(pool: BalancerBufferPool, direction: Direction): Curve {
  const [over, under] = priceOf(pool, direction).map(Number) as [number, number]
  const end = Number(largestInput(pool, direction)) * JUST_BELOW_ONE
  const pieces = piecesOfLines([{ end, price: over / under }])
  return {
    out: (x) => outOf(pieces, x),
    price: (x) => priceAt(pieces, x),
    inputAt: (p) => inputAtOf(pieces, p),
    limit: limitOf(pieces),
    pieces,
  }
}

/** Buffers have no fee. */
export function feeRate(): number {
  return 0
}
