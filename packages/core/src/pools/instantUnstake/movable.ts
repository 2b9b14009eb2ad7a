import type { Movable } from '../family.js'
import type { InstantUnstakePool } from './pool.js'

/** The staking rate and the fee. */
export function movable({ rate, feeRateBps }: InstantUnstakePool): Movable {
  return { rates: [rate], feePpm: feeRateBps * 100 }
}
