import { hullOf } from '../../math/hull.js'
import type { Curve, Direction } from '../family.js'
import { hullCurve } from '../piecesCurve.js'
import { ladderOf } from './exact.js'
import type { LadderPool } from './pool.js'

/** The concave hull of the rungs, equal to them if the samples are concave. */
export function toCurve(pool: LadderPool, direction: Direction): Curve {
  const ladder = ladderOf(pool, direction)
  return hullCurve(() => hullOf(ladder))
}

/** Unknown: the samples include the fee. */
export function feeRate(): undefined {
  return undefined
}
