import type { Movable } from '../family.js'
import type { SolidlyPool } from './pool.js'

/** The fee, which the factory's owner sets. */
export function movable({ feePpm }: SolidlyPool): Movable {
  return { rates: [], feePpm }
}
