import type { Movable } from '../family.js'
import type { StexPool } from './pool.js'

/** The staking rate. */
export function movable({ rate }: StexPool): Movable {
  return { rates: [rate], feePpm: 0 }
}
