// Makes sampled outputs safe to promise: a pool whose output stops being concave is not sold more
// than it was still concave for, and a venue's haircut covers what its price moves within a block.

import type { Ladder } from '@braid-swap/core/families'

const PPM = 1_000_000n
/** A chord that is steeper than the one before by more than this is no rounding: a basis point. */
const STEEPER_PPM = 100n
/** Wei by which the roundings of a quote may move it. */
const ROUNDING = 2n

/**
 * The rungs up to the last one that keeps the samples concave. A pool that pays a better price for
 * the next wei than for the last one is at the end of what its formula means: its inventory, or a
 * cap.
 */
export function concavePart(ladder: Ladder): Ladder {
  const end = ladder.findIndex((rung, i) => i > 1 && isSteeper(ladder.slice(i - 2, i), rung))
  return end === -1 ? ladder : ladder.slice(0, end)
}

function isSteeper(before: Ladder, [x2, y2]: Ladder[number]): boolean {
  const [[x0, y0], [x1, y1]] = before as readonly [Ladder[number], Ladder[number]]
  const least = (y2 - y1 - ROUNDING) * (x1 - x0) * PPM
  return least > (y1 - y0 + ROUNDING) * (x2 - x1) * (PPM + STEEPER_PPM)
}

/** The ladder with every output lowered by this many parts per million, rounded down. */
export function lowered(ladder: Ladder, haircutPpm: bigint): Ladder {
  if (haircutPpm === 0n) return ladder
  return ladder.map(([x, y]) => [x, (y * (PPM - haircutPpm)) / PPM] as const)
}
