import type { Direction } from '../family.js'
import { isFresh } from '../sampled.js'
import type { Ladder, LadderPool } from './pool.js'

/**
 * A lower bound of what the pool pays: its own quote at a rung, the chord between two rungs, or the
 * output of the lower rung if the rungs are not concave there. `0n` beyond the last rung, or if the
 * samples are not fresh.
 */
export function getAmountOut(pool: LadderPool, direction: Direction, amountIn: bigint): bigint {
  if (amountIn <= 0n) return 0n
  const ladder = ladderOf(pool, direction)
  const j = ladder.findIndex(([x]) => x >= amountIn)
  if (j === -1) return 0n
  const [x0, y0] = ladder[j - 1] ?? ORIGIN
  const [x1, y1] = ladder[j]!
  if (amountIn === x1) return y1
  if (!isConcaveAt(ladder, j - 1) || !isConcaveAt(ladder, j)) return y0
  return y0 + ((y1 - y0) * (amountIn - x0)) / (x1 - x0)
}

/** The pool without rungs, because its quotes after a swap are unknown. */
export function applySwap(pool: LadderPool, direction: Direction, amountIn: bigint): LadderPool {
  if (getAmountOut(pool, direction, amountIn) === 0n) return pool
  return { ...pool, ladders: [[], []] }
}

/**
 * The rungs of one direction; none if they are not of the last block. The last rung of a vault is what it takes or has
 * in that block, of which interest leaves it less in the next, so it is lowered along its chord.
 */
export function ladderOf(pool: LadderPool, direction: Direction): Ladder {
  if (!isFresh(pool)) return []
  const ladder = pool.ladders[direction.in as 0 | 1]
  const last = ladder.at(-1)
  if (pool.protocol !== 'vault' || !last) return ladder
  const [x0, y0] = ladder.at(-2) ?? ORIGIN
  const [x1, y1] = last
  const x = x1 - (x1 * INTEREST_PPM) / PPM - 1n
  const below = ladder.slice(0, -1)
  return x > x0 ? [...below, [x, y0 + ((y1 - y0) * (x - x0)) / (x1 - x0)]] : below
}

const PPM = 1_000_000n
/** What a vault earns in a minute at 100 % a year. */
const INTEREST_PPM = 2n
const ORIGIN = [0n, 0n] as const

// A quote is floored, and its haircut too, so a rung of a concave function is less than two wei below what it
// rounds, and below its neighbours' chord by no more. A chord over such rungs is below the function all the same.
function isConcaveAt(ladder: Ladder, i: number): boolean {
  const [x, y] = ladder[i] ?? ORIGIN
  const [x0, y0] = ladder[i - 1] ?? ORIGIN
  const above = ladder[i + 1]
  if (i < 0 || above === undefined) return true
  const [x1, y1] = above
  return (y + 2n - y0) * (x1 - x0) > (y1 - y0) * (x - x0)
}

/** Never: a pool without a rung pays nothing now, but it is sampled again in every block. */
export function isEmpty(_pool: LadderPool): boolean {
  return false
}
