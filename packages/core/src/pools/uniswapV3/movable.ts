import type { Movable } from '../family.js'
import type { UniswapV3Pool } from './pool.js'

/** The fee, which forks let an owner or a module set; of a moving one its base. */
export function movable({ feePpm, dynamicFee }: UniswapV3Pool): Movable {
  return { rates: [], feePpm, ...(dynamicFee && { isFeeMoving: true }) }
}
