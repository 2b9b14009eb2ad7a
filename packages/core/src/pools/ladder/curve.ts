import { hullOf } from '../../math/hull.js'
import type { Curve, Direction } from '../family.js'
import { hullCurve } from '../piecesCurve.js'
import { ladderOf } from './exact.js'
import type { LadderPool } from './pool.js'

/** The concave hull of the rungs, which are themselves where the pool's answers are concave. */
export function toCurve(pool: LadderPool, direction: Direction): Curve {
  const ladder = ladderOf(pool, direction)
  return hullCurve(() => hullOf(ladder))
}

/** What was answered has the fee in it, and does not say how much. */
export function feeRate(): undefined {
  return undefined
}
