/**
 * Hull corners of non-concave pools. Input: a problem and a route. Output: the curves of the problem,
 * those of such pools cut at a corner. Between two corners a pool pays less than its concave hull, so a
 * route that stops at a corner can be better.
 */
import { edgeAt } from '../../graph.js'
import { firstPieces, outOf, type Pieces } from '../../math/pieces.js'
import type { Problem } from '../network/problem.js'
import type { Realised } from '../primal/realise.js'
import { KINK, LEAST_OUT_OF_HULL, SHORT_OF_HULL } from '../tuning.js'

/**
 * The curves of the problem, that of every non-concave pool that pays less than its hull on this route
 * cut at the corner before its input. Up to there the hull is exact. `undefined` if no pool of the route falls short.
 */
export function capAtHullCorner(
  problem: Problem,
  { edges: used, route }: Realised,
): Problem['whole'] | undefined {
  const { graph, edges } = problem
  const whole = problem.whole.slice()
  let isCapped = false
  for (const e of used) {
    const { pool, direction, curve } = edgeAt(graph, e)
    if (!curve.isHull) continue
    const hop = route.find((one) => one.pool.id === pool.id && one.direction.in === direction.in)
    const i = edges.indexOf(e)
    if (!hop || i < 0 || hop.amountOut < LEAST_OUT_OF_HULL) continue
    const hull = whole[i]!
    const amountIn = Number(hop.amountIn)
    const corner = cornerBefore(hull, amountIn)
    if (corner === 0 || Number(hop.amountOut) >= outOf(hull, amountIn) * (1 - SHORT_OF_HULL))
      continue
    whole[i] = firstPieces(hull, corner)
    isCapped = true
  }
  return isCapped ? whole : undefined
}

/** The last piece before `x` that begins with a kink; 0 if there is none. */
function cornerBefore({ γ, startIn, price, reserveIn }: Pieces, x: number): number {
  let j = price.length - 1
  while (j > 0 && startIn[j]! >= x) j--
  const fallenTo = (k: number) =>
    price[k]! / (1 + (γ * (startIn[k + 1]! - startIn[k]!)) / reserveIn[k]!) ** 2
  while (j > 0 && price[j]! > fallenTo(j - 1) * (1 - KINK)) j--
  return j
}
