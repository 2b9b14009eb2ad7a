import { type Line, piecesOfLines } from '../../math/lines.js'
import type { Curve, Direction } from '../family.js'
import { piecesCurve } from '../piecesCurve.js'
import { ladderOf } from './exact.js'
import type { Ladder, LadderPool } from './pool.js'

// The largest double below one, so that a last rung which a float rounds up is not overrun.
const BELOW = 1 - 2 ** -52

/** The concave hull of the rungs, which are themselves where the pool's answers are concave. */
export function toCurve(pool: LadderPool, direction: Direction): Curve {
  const ladder = ladderOf(pool, direction)
  return piecesCurve(undefined, () => piecesOfLines(hullOf(ladder)))
}

/** Straight lines of falling slope over all rungs and the origin, and nowhere below them. */
function hullOf(ladder: Ladder): readonly Line[] {
  const corners: Corner[] = [[0n, 0n]]
  for (const rung of ladder) {
    while (corners.length > 1 && !isAbove(corners.at(-1)!, [corners.at(-2)!, rung])) corners.pop()
    corners.push(rung)
  }
  return corners.slice(1).map(([x, y], i) => {
    const [x0, y0] = corners[i]!
    const isLast = i === corners.length - 2
    return { end: Number(x) * (isLast ? BELOW : 1), price: Number(y - y0) / Number(x - x0) }
  })
}

type Corner = readonly [bigint, bigint]

function isAbove([x, y]: Corner, [[x0, y0], [x1, y1]]: readonly [Corner, Corner]): boolean {
  return (y - y0) * (x1 - x0) > (y1 - y0) * (x - x0)
}
