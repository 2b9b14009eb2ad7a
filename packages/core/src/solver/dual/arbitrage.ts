/**
 * The arbitrage oracle of dual decomposition, in closed form. Input: a problem and prices. Output: the optimal
 * trade of every active edge, and the value of the dual function.
 */
import { outOf, pieceAbove } from '../../math/pieces.js'
import type { Problem } from '../network/problem.js'
import { FILL_LIMIT, RESOLUTION } from '../tuning.js'

/**
 * Computes the optimal trade of every active edge at prices ν = e^u. Fills x, y, c and surplus, and in
 * `gradient` the value of each token's excess; returns the dual function g(u) = amount·ν_source + Σ surplus.
 */
export function solveArbitrage(problem: Problem, active: Int32Array): number {
  const { u, ν, from, to, rate, x, y, c, surplus, gradient, amount, source } = problem
  for (let k = 0; k < u.length; k++) ν[k] = Math.exp(u[k]!)
  gradient.fill(0)
  gradient[source] = amount
  let g = amount * ν[source]!
  for (let s = 0; s < active.length; s++) {
    const i = active[s]!
    // Most edges of a large market are idle.
    if (rate[i]! * ν[to[i]!]! > ν[from[i]!]! * (1 - RESOLUTION)) {
      g += solveEdge(problem, i)
      gradient[from[i]!]! -= x[i]!
      gradient[to[i]!]! += y[i]!
    } else x[i] = y[i] = c[i] = surplus[i] = 0
  }
  for (let k = 0; k < ν.length; k++) gradient[k]! *= ν[k]!
  return g
}

/** Computes the optimal trade of an edge whose spot price is not below the ratio of prices; returns its surplus. */
function solveEdge(problem: Problem, i: number): number {
  const { ν, x, y, c, surplus } = problem
  const νIn = ν[problem.from[i]!]!
  const νOut = ν[problem.to[i]!]!
  const pieces = problem.pieces[i]!
  const { γ, startIn, startOut, price, reserveIn } = pieces
  // Within RESOLUTION of the spot price no piece is above the ratio.
  const j = price.length === 1 ? 0 : Math.max(0, pieceAbove(pieces, νIn / νOut))
  // √(worth/ν) − 1, computed from the difference to keep the digits of small flows.
  const q = Math.max(0, (γ * price[j]! * νOut - νIn) / νIn)
  const move = q / (1 + Math.sqrt(1 + q))
  const scale = reserveIn[j]! / γ
  const wanted = startIn[j]! + scale * move
  const isLast = j === price.length - 1
  const end = startIn[j + 1]!
  const most = isLast ? Math.max(startIn[j]!, end * FILL_LIMIT) : end
  if (wanted < most) {
    x[i] = wanted
    y[i] = startOut[j]! + (price[j]! * reserveIn[j]! * move) / (1 + move)
    c[i] = (νIn * scale * (1 + move)) / 2
  } else {
    x[i] = most
    y[i] = isLast ? outOf(pieces, most) : startOut[j + 1]!
    c[i] = 0
  }
  // The surplus is the maximum over the pool's full limit, because the bound must cover that too.
  surplus[i] =
    wanted < end
      ? νOut * startOut[j]! - νIn * startIn[j]! + νIn * scale * move * move
      : νOut * startOut[j + 1]! - νIn * end
  return surplus[i]!
}
