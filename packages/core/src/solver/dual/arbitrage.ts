/**
 * The arbitrage oracle of dual decomposition, in closed form. Input: a problem and prices. Output: the optimal
 * trade of every active edge, and the value of the dual function.
 */
import { outOf, pieceAbove } from '../../math/pieces.js'
import type { Problem } from '../network/problem.js'
import { FILL_LIMIT, LOG_PRICE_MARGIN, RESOLUTION } from '../tuning.js'

/**
 * Computes the optimal trade of every active edge at prices ν = e^u. Fills x, y, c and surplus, and
 * returns the dual function g(u) = amount·ν_source + Σ surplus.
 */
export function solveArbitrage(problem: Problem, active: Int32Array): number {
  const { u, ν } = problem
  for (let k = 0; k < u.length; k++) ν[k] = Math.exp(u[k]!)
  return solveArbitrageAt(problem, active)
}

/** {@link solveArbitrage} at the prices that `problem.ν` already contains. */
export function solveArbitrageAt(problem: Problem, active: Int32Array): number {
  const { u, ν, x, y, c, surplus, bundles, amount, source } = problem
  let g = amount * ν[source]!
  if (active !== problem.all) {
    for (let s = 0; s < active.length; s++) g += solveEdge(problem, active[s]!)
    return g
  }
  for (const flows of [x, y, c, surplus]) flows.fill(0)
  for (let b = 0; b < bundles.from.length; b++) {
    if (bundles.logSpot[b]! < u[bundles.from[b]!]! - u[bundles.to[b]!]! - LOG_PRICE_MARGIN) continue
    for (let i = bundles.first[b]!; i < bundles.first[b + 1]!; i++) g += solveEdge(problem, i)
  }
  return g
}

/** Computes the optimal trade of one edge at the prices ν; returns its surplus. */
export function solveEdge(problem: Problem, i: number): number {
  const { ν, x, y, c, surplus } = problem
  const νIn = ν[problem.from[i]!]!
  const γ = problem.γ[i]!
  const price = problem.price[i]!
  const worth = γ * price * ν[problem.to[i]!]!
  if (!(worth > νIn * (1 - RESOLUTION))) {
    x[i] = y[i] = c[i] = surplus[i] = 0
    return 0
  }
  // √(worth/ν) − 1, computed from the difference to keep the digits of small flows.
  const q = Math.max(0, (worth - νIn) / νIn)
  const move = q / (1 + Math.sqrt(1 + q))
  const reserve = problem.reserve[i]!
  const scale = reserve / γ
  const input = scale * move
  if (!(input < problem.end[i]! * FILL_LIMIT)) return tradeBeyondFirstPiece(problem, i)
  x[i] = input
  y[i] = (price * reserve * move) / (1 + move)
  c[i] = (νIn * scale * (1 + move)) / 2
  surplus[i] = νIn * scale * move * move
  return surplus[i]!
}

function tradeBeyondFirstPiece(problem: Problem, i: number): number {
  const νIn = problem.ν[problem.from[i]!]!
  const νOut = problem.ν[problem.to[i]!]!
  const pieces = problem.pieces[i]!
  const { γ, startIn, startOut, price, reserveIn } = pieces
  // Within RESOLUTION of the spot price no piece is above the ratio.
  const j = Math.max(0, pieceAbove(pieces, νIn / νOut))
  const isLast = j === price.length - 1
  const q = Math.max(0, (γ * price[j]! * νOut - νIn) / νIn)
  const move = q / (1 + Math.sqrt(1 + q))
  const scale = reserveIn[j]! / γ
  const wanted = startIn[j]! + scale * move
  const most = isLast ? Math.max(startIn[j]!, startIn[j + 1]! * FILL_LIMIT) : startIn[j + 1]!
  const isFull = wanted >= most
  const wantedOut = startOut[j]! + (price[j]! * reserveIn[j]! * move) / (1 + move)
  problem.x[i] = isFull ? most : wanted
  if (isFull) problem.y[i] = isLast ? outOf(pieces, most) : startOut[j + 1]!
  else problem.y[i] = wantedOut
  problem.c[i] = isFull ? 0 : (νIn * scale * (1 + move)) / 2
  // The surplus is the maximum over the pool's full limit, because the bound must cover that too.
  const isWithin = wanted < startIn[j + 1]!
  problem.surplus[i] = isWithin
    ? νOut * wantedOut - νIn * wanted
    : νOut * startOut[j + 1]! - νIn * startIn[j + 1]!
  return problem.surplus[i]!
}
