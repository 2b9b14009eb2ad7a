import type { Movable } from '../family.js'
import type { AlgebraIntegralPool } from './pool.js'

/** The fee, if a plugin sets it. */
export function movable({ adaptiveFee, slidingFee }: AlgebraIntegralPool): Movable {
  return { rates: [], feePpm: 0, ...((adaptiveFee || slidingFee) && { isFeeMoving: true }) }
}
