import type { Movable } from '../family.js'

/** The fee, which the pool takes from its data storage operator. */
export function movable(): Movable {
  return { rates: [], feePpm: 0, isFeeMoving: true }
}
