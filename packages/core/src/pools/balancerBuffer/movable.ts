import type { Movable } from '../family.js'
import type { BalancerBufferPool } from './pool.js'

const ONE = 10n ** 18n

/** The rate of the wrapped token. */
export function movable({ rate: [shares, assets] }: BalancerBufferPool): Movable {
  return { rates: [(shares * ONE) / assets], feePpm: 0 }
}
