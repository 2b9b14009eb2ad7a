/**
 * The arbitrage oracle of dual decomposition, in closed form. Input: prices.
 * Output: the optimal trade of every active edge and the value of the dual function; or what the best trade of each
 * edge is worth at most, net of gas. Each tick that a pool crosses costs gas, so the first pieces of a curve alone are
 * a cheaper edge: a column.
 */
import { type Graph, piecesOf } from '../../graph.js'
import { inputAtOf, outOf, pieceAbove, pieceAt } from '../../math/pieces.js'
import type { Problem } from '../network/problem.js'
import type { Relaxation } from '../network/subgraph.js'
import { BOUND_MARGIN, DUST, FILL_LIMIT, RESOLUTION } from '../tuning.js'

/**
 * Computes the optimal trade of every active edge at prices ν = e^u. Fills x, y, c and surplus, and in
 * `gradient` the value of each token's excess; returns the dual function g(u) = amount·ν_source + Σ surplus.
 */
export function solveArbitrage(problem: Problem, active: Int32Array): number {
  const { u, ν, from, to, rate, x, y, c, surplus, gradient, amount, source, trading } = problem
  const { edges } = trading
  for (let s = 0; s < trading.count; s++) {
    const i = edges[s]!
    x[i] = y[i] = c[i] = surplus[i] = 0
  }
  trading.count = 0
  for (let k = 0; k < u.length; k++) ν[k] = Math.exp(u[k]!)
  gradient.fill(0)
  gradient[source] = amount
  let g = amount * ν[source]!
  for (let s = 0; s < active.length; s++) {
    const i = active[s]!
    // Most edges of a large market are idle.
    if (!(rate[i]! * ν[to[i]!]! > ν[from[i]!]! * (1 - RESOLUTION))) continue
    g += solveEdge(problem, i)
    gradient[from[i]!]! -= x[i]!
    gradient[to[i]!]! += y[i]!
    edges[trading.count++] = i
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

/**
 * The worth of each edge's best trade at log prices `u` by local token, net of gas, and the value that all trade. An open edge
 * counts by its first price alone; a unit of a token out brings at most what `riseOf` says.
 */
export function tradesAt(
  { graph, edges, from, to, terms }: Relaxation,
  u: Float64Array,
  isOpen?: Uint8Array,
  riseOf = (_token: number) => 1,
): { readonly worth: Float64Array; readonly turnover: number } {
  const { logSpot, spot, gas, extraIn } = graph
  const worth = new Float64Array(edges.length)
  let turnover = 0
  for (let i = 0; i < edges.length; i++) {
    const e = edges[i]!
    const uIn = u[from[i]!]!
    const uOut = u[to[i]!]!
    // Most edges are far from any arbitrage, but some pools can pay more than their curves.
    const isNear = !isOpen?.[i] && logSpot[e]! > uIn - uOut - BOUND_MARGIN
    worth[i] = -terms.gasCost * gas[e]!
    if (!isNear && !(extraIn[e]! > 0)) continue
    const rise = riseOf(to[i]!)
    if (isNear && rise > 0) {
      const prices = [rise * Math.exp(uIn), rise * Math.exp(uOut)] as const
      const trade = bestTrade(graph, e, prices, terms.gasCost)
      worth[i] = trade.net
      turnover += trade.turnover
    } else
      worth[i]! += rise * extraIn[e]! * (isOpen?.[i] ? spot[e]! * Math.exp(uOut) : Math.exp(uIn))
  }
  return { worth, turnover }
}

/**
 * Least gas of a hop by edge `e` of the graph, by the piece that it ends in: every piece that it enters is at
 * least one tick. A swap of one wei may cross the first ticks already; the least gas includes these.
 */
export function gasOfPieces(graph: Graph, e: number): (j: number) => number {
  const [gas, stepGas] = [graph.gas[e]!, graph.stepGas[e]!]
  const included = stepGas === 0 ? 0 : pieceAt(piecesOf(graph, e), DUST)
  return (j) => gas + stepGas * Math.max(0, j - included)
}

/**
 * The best trade of an edge at the prices of its tokens, in their unit: its surplus net of gas, and the value
 * traded. A pool can beat its curve by the output of `extraIn`, which is worth at most its price.
 */
export function bestTrade(
  graph: Graph,
  e: number,
  [νIn, νOut]: readonly [number, number],
  gasCost: number,
): { readonly net: number; readonly turnover: number } {
  const pieces = piecesOf(graph, e)
  const { startIn, startOut } = pieces
  // The largest input that floats cannot tell from the best: it counts as turnover.
  const ratio = (νIn / νOut) * (1 - RESOLUTION)
  const end = inputAtOf(pieces, ratio)
  const last = Math.max(0, pieceAbove(pieces, ratio))
  const gasOf = gasOfPieces(graph, e)
  let net = Number.NEGATIVE_INFINITY
  for (let j = graph.stepGas[e]! > 0 ? 0 : last; j <= last; j++) {
    // A curve that ends before its pool does may have pieces without a width: they pay nonetheless.
    const isWhole = end >= startIn[j + 1]!
    const value = νOut * (isWhole ? startOut[j + 1]! : outOf(pieces, end))
    const surplus = value - νIn * (isWhole ? startIn[j + 1]! : end)
    const paid = gasCost * gasOf(j)
    net = Math.max(net, Math.max(0, surplus) + νIn * graph.extraIn[e]! - paid)
  }
  return { net, turnover: νIn * end }
}
