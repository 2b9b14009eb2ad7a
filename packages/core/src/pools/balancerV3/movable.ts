import type { Movable } from '../family.js'
import type { BalancerV3Pool } from './pool.js'

/** The rates of providers, and the fee, which a manager of the pool sets. */
export function movable({ tokenRates, sampledAt, swapFee }: BalancerV3Pool): Movable {
  return { rates: sampledAt === undefined ? [] : tokenRates, feePpm: Number(swapFee) / 1e12 }
}
