/**
 * The arbitrage oracle of dual decomposition, in closed form. Input: a problem and prices. Output: the optimal
 * trade of every active edge, and the value of the dual function; for a bound, the best trade net of gas. Each
 * tick that a pool crosses costs gas, so the first pieces of a curve alone are a cheaper edge: a column.
 */
import { type Graph, piecesOf } from '../../graph.js'
import { inputAtOf, outOf, type Pieces, pieceAbove, pieceAt } from '../../math/pieces.js'
import type { Problem } from '../network/problem.js'
import { DUST, FILL_LIMIT, LOG_PRICE_MARGIN, PRICE_DIGITS, RESOLUTION } from '../tuning.js'

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

/** A trade: its surplus net of gas, and the value traded with what floats cannot tell from it. */
export type Trade = { readonly net: number; readonly turnover: number }

/**
 * Least gas of a hop by edge `e` of the graph that ends in piece `j`: every piece that it enters is at least one tick. A swap
 * of one wei may cross the first ticks already; the least gas includes these.
 */
export function gasOfPiece(graph: Graph, e: number, j: number): number {
  const [gas, stepGas] = [graph.gas[e]!, graph.stepGas[e]!]
  if (stepGas === 0 || j === 0) return gas
  return gas + stepGas * Math.max(0, j - pieceAt(piecesOf(graph, e), DUST))
}

/**
 * The best trade of an edge at the prices of its tokens, in their unit. A pool can beat its curve by
 * the output of `extraIn`, which is worth at most its price.
 */
export function bestTrade(
  graph: Graph,
  e: number,
  [νIn, νOut]: readonly [number, number],
  gasMultiplier: number,
): Trade {
  const pieces = piecesOf(graph, e)
  const { startIn, startOut } = pieces
  const ratio = νIn / νOut
  const end = inputAtOf(pieces, ratio)
  const above = pieceAbove(pieces, ratio)
  const last = Math.max(0, above)
  // A curve that ends before its pool does may have pieces without a width: they pay nonetheless.
  const isWhole = above >= 0 && end >= startIn[last + 1]!
  let net = Number.NEGATIVE_INFINITY
  for (let j = graph.stepGas[e]! > 0 ? 0 : last; j <= last; j++) {
    const isPart = j === last && !isWhole
    const value = νOut * (isPart ? outOf(pieces, end) : startOut[j + 1]!)
    const surplus = value - νIn * (j === last ? end : startIn[j + 1]!)
    const paid = gasMultiplier * gasOfPiece(graph, e, j)
    const one = Math.max(0, surplus) + νIn * graph.extraIn[e]! - paid
    if (one > net) net = one
  }
  const depth = end > 0 && !isWhole ? νIn * conductanceAt(pieces, last, ratio) : 0
  return { net, turnover: νIn * end + PRICE_DIGITS * depth }
}

/** ∂x/∂ln(1/ratio) where piece j has fallen to the marginal price `ratio`. */
function conductanceAt({ γ, price, reserveIn }: Pieces, j: number, ratio: number): number {
  return (reserveIn[j]! * Math.sqrt((γ * price[j]!) / ratio)) / (2 * γ)
}
