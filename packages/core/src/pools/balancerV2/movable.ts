import type { Movable } from '../family.js'
import { unitsOf } from './exact.js'
import type { BalancerV2Pool } from './pool.js'

/** The rates of providers that the next swap takes, and the fee, which an owner of the pool sets. */
export function movable(pool: BalancerV2Pool): Movable {
  const { sampledAt, swapFee } = pool
  return { rates: sampledAt === undefined ? [] : unitsOf(pool), feePpm: Number(swapFee) / 1e12 }
}
