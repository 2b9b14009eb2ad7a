import { outOf, type Pieces } from '../math/pieces.js'
import type { Route } from '../route.js'
import type { Problem } from './problem.js'

// More than pieces stand above their lines, and outputs that floors are hardly a part of.
const [SHORT, LEAST_OUT] = [1e-5, 10n ** 7n]
// Within a straight line the price falls by less from piece to piece.
const KINK = 1e-7

/**
 * A pool that is not concave offers its hull, and pays less than that between two corners. Where a
 * route over these edges of the graph stands there, the pool's pieces are cut at the corner before,
 * up to which they hold. Gives what puts them back; `undefined` if no pool of it falls short.
 */
export function stopShort(
  { graph, edges, pieces }: Problem,
  used: Int32Array,
  route: Route,
): (() => void) | undefined {
  const whole = new Map<number, Pieces>()
  for (const e of used) {
    const { pool, direction, curve } = graph.edges[e]!
    if (!curve.isHull) continue
    const hop = route.find((one) => one.pool.id === pool.id && one.direction.in === direction.in)
    const i = edges.indexOf(e)
    if (!hop || i < 0 || hop.amountOut < LEAST_OUT) continue
    const hull = pieces[i]!
    const amountIn = Number(hop.amountIn)
    const corner = cornerBefore(hull, amountIn)
    if (corner === 0 || Number(hop.amountOut) >= outOf(hull, amountIn) * (1 - SHORT)) continue
    whole.set(i, hull)
    pieces[i] = cutAt(hull, corner)
  }
  if (whole.size === 0) return undefined
  return () => {
    for (const [i, hull] of whole) pieces[i] = hull
  }
}

/** The last piece before `x` that begins with a kink; 0 where there is none. */
function cornerBefore({ γ, startIn, price, reserveIn }: Pieces, x: number): number {
  let j = price.length - 1
  while (j > 0 && startIn[j]! >= x) j--
  const fallenTo = (k: number) =>
    price[k]! / (1 + (γ * (startIn[k + 1]! - startIn[k]!)) / reserveIn[k]!) ** 2
  while (j > 0 && price[j]! > fallenTo(j - 1) * (1 - KINK)) j--
  return j
}

function cutAt({ γ, startIn, startOut, price, reserveIn }: Pieces, corner: number): Pieces {
  return {
    γ,
    startIn: startIn.subarray(0, corner + 1),
    startOut: startOut.subarray(0, corner + 1),
    price: price.subarray(0, corner),
    reserveIn: reserveIn.subarray(0, corner),
  }
}
