import type { Line } from './piecewiseLinear.js'

/** A point of a gain function, in wei. */
export type Corner = readonly [amountIn: bigint, amountOut: bigint]

// A double just below one, so that rounding to a float never exceeds the last corner.
const JUST_BELOW_ONE = 1 - 2 ** -52

/**
 * The concave hull of the origin and the corners, by a monotone chain: lines of decreasing slope
 * that are nowhere below a corner. Corners ascend in their input; outputs need not, but none is
 * larger than the last.
 */
export function hullOf(corners: readonly Corner[]): readonly Line[] {
  const hull: Corner[] = [[0n, 0n]]
  for (const corner of corners) {
    while (hull.length > 1 && !isAbove(hull.at(-1)!, [hull.at(-2)!, corner])) hull.pop()
    hull.push(corner)
  }
  return hull.slice(1).map(([x, y], i) => {
    const [x0, y0] = hull[i]!
    const isLast = i === hull.length - 2
    return {
      end: Number(x) * (isLast ? JUST_BELOW_ONE : 1),
      price: Number(y - y0) / Number(x - x0),
    }
  })
}

function isAbove([x, y]: Corner, [[x0, y0], [x1, y1]]: readonly [Corner, Corner]): boolean {
  return (y - y0) * (x1 - x0) > (y1 - y0) * (x - x0)
}

/**
 * The least concave function above a piecewise-linear one: neighbours whose slope rises are merged
 * into their mean slope, by the pool-adjacent-violators algorithm. The same lines if it is concave.
 */
export function majorantOf(lines: readonly Line[]): readonly Line[] {
  const merged: (Line & { readonly start: number })[] = []
  let start = 0
  for (const { end, price } of lines) {
    if (end <= start) continue
    let line = { start, end, price }
    for (let last = merged.at(-1); last && last.price <= line.price; last = merged.at(-1)) {
      merged.pop()
      const [before, after] = [last.end - last.start, line.end - line.start]
      const mean = (last.price * before + line.price * after) / (before + after)
      line = { start: last.start, end: line.end, price: mean }
    }
    merged.push(line)
    start = end
  }
  return merged.map(({ end, price }) => ({ end, price }))
}
