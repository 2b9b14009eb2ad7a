import type { Movable } from '../family.js'
import type { CurveStableSwapPool } from './pool.js'

/** The rates that move without a swap, and the fee at balance, which the admin sets in units of 10⁻¹⁰. */
export function movable({ rates, sampledAt, fee }: CurveStableSwapPool): Movable {
  return { rates: sampledAt === undefined ? [] : rates, feePpm: Number(fee) / 1e4 }
}
