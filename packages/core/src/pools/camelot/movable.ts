import type { Movable } from '../family.js'
import type { CamelotPool } from './pool.js'

/** The larger of both fees, which an owner sets in units of 10⁻⁵. */
export function movable({ feePercents }: CamelotPool): Movable {
  return { rates: [], feePpm: Math.max(...feePercents) * 10 }
}
