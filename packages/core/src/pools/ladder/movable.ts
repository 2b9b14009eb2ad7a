import type { Movable } from '../family.js'
import type { LadderPool } from './pool.js'

const ONE = 10n ** 18n
/** Wei from which rounding moves a price by less than a millionth. */
const PRECISE = 1_000_000n

/** The price of the first precise sample in each direction, which is that of a market unless the pool is a vault. */
export function movable({ ladders, protocol }: LadderPool): Movable {
  const rates = ladders.map((ladder) => {
    const rung = ladder.find(([x, y]) => x >= PRECISE && y >= PRECISE)
    return rung ? (rung[1] * ONE) / rung[0] : 0n
  })
  return { rates, feePpm: 0, ...(protocol !== 'vault' && { isMarketPrice: true }) }
}
