import type { Direction } from '../family.js'
import { isFresh } from '../sampled.js'
import type { Ladder, LadderPool } from './pool.js'

/**
 * At least what the pool pays, as long as it was asked in the block that quotes are of: its own
 * answer on a rung, the chord between two rungs, and where the rungs are not concave what the rung
 * below brings. `0n` past the last rung.
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

/** The pool without rungs: what it would answer after a swap was not asked. */
export function applySwap(pool: LadderPool, direction: Direction, amountIn: bigint): LadderPool {
  if (getAmountOut(pool, direction, amountIn) === 0n) return pool
  return { ...pool, ladders: [[], []] }
}

/** The rungs of one direction; none if they are of another block than the quotes. */
export function ladderOf(pool: LadderPool, direction: Direction): Ladder {
  return isFresh(pool) ? pool.ladders[direction.in as 0 | 1] : []
}

const ORIGIN = [0n, 0n] as const

// Answers are floored: a concave function's may stand less than a wei below their neighbours' chord.
function isConcaveAt(ladder: Ladder, i: number): boolean {
  const [x, y] = ladder[i] ?? ORIGIN
  const [x0, y0] = ladder[i - 1] ?? ORIGIN
  const above = ladder[i + 1]
  if (i < 0 || above === undefined) return true
  const [x1, y1] = above
  return (y + 1n - y0) * (x1 - x0) > (y1 - y0) * (x - x0)
}
