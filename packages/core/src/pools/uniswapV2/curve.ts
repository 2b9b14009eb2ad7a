import { inputAtOf, limitOf, outOf, type Pieces, priceOf } from '../../math/pieces.js'
import type { Curve, Direction } from '../family.js'
import type { UniswapV2Pool } from './pool.js'

// A reserve is a uint112; floats round, so the last digits are left unpromised.
const MAX_RESERVE = 2 ** 112 * (1 - 2 ** -50)

/**
 * The pair as a gain function: one constant-product piece, X and Y the reserves in and out.
 *
 *   h(x) = γ·x·Y / (X + γ·x)
 */
export function toCurve(pool: UniswapV2Pool, direction: Direction): Curve {
  const X = Number(pool.reserves[direction.in as 0 | 1])
  const Y = Number(pool.reserves[direction.out as 0 | 1])
  const γ = 1 - pool.feePpm / 1e6
  const isEmpty = X === 0 || Y === 0
  const limit = Math.max(0, MAX_RESERVE - X)
  const end = (γ * limit * Y) / (X + γ * limit)
  const pieces: Pieces = {
    γ,
    startIn: Float64Array.from(isEmpty ? [0] : [0, limit]),
    startOut: Float64Array.from(isEmpty ? [0] : [0, end]),
    price: Float64Array.from(isEmpty ? [] : [Y / X]),
    reserveIn: Float64Array.from(isEmpty ? [] : [X]),
  }
  return {
    out: (x) => outOf(pieces, x),
    price: (x) => priceOf(pieces, x),
    inputAt: (p) => inputAtOf(pieces, p),
    limit: limitOf(pieces),
    pieces,
  }
}
