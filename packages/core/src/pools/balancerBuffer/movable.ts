import type { Movable } from '../family.js'
import type { BalancerBufferPool } from './pool.js'

const ONE = 10n ** 18n

/** Shares of the wrapped token for assets, which a donation lowers. */
export function movable({ rate: [shares, assets] }: BalancerBufferPool): Movable {
  return { rates: [(shares * ONE) / assets], feePpm: 0, isDonatable: true }
}
