/**
 * Newton's method on the bound over prices and the multiplier of gas. Input: a relaxation, a point and
 * a smoothing δ. Output: a point at which the bound is lower, for orders that the gas of a block limits.
 *
 * The minimum of the bound is at kinks: at deep pools, and at ticks that are just worth their gas. So an
 * edge gets a few columns k, with input x_k, output y_k, gas g_k and worth r_k = ν_b·y_k − ν_a·x_k − λ·g_k,
 * and adds δ·ln(1 + Σ exp(r_k/δ)) instead of the largest of 0 and all r_k. The unknowns are the log prices
 * and ln(λ − p): in these, the second derivative is a covariance over δ, plus what vanishes at the minimum.
 */

import { piecesOf } from '../../graph.js'
import { solveCholesky } from '../../math/cholesky.js'
import { inputAtOf, limitOf, outOf, pieceAt } from '../../math/pieces.js'
import { gasOfPieces, type Point } from '../dual/arbitrage.js'
import type { Relaxation } from '../network/subgraph.js'
import * as tuning from '../tuning.js'
import { boundWithOpen } from './simplePaths.js'
import type { Proved } from './upperBound.js'

/** The columns of an edge, ascending: input, output and gas. */
type Columns = { readonly x: Float64Array; readonly y: Float64Array; readonly gas: Float64Array }

/** Bounds where the smoothed bound is lowest, from the prices of one that is above the answer by `gap`. */
export function boundsAtMinimum(
  relaxation: Relaxation,
  { u }: Point,
  gap: number,
  used: ReadonlySet<number>,
): readonly Proved[] {
  const { room, gasCost } = relaxation.terms
  let point: Point = { u, gasMultiplier: gasCost }
  return tuning.SMOOTHINGS.map((part) => {
    const δ = gap * part
    const least = room > 0 ? gasCost + δ / room : gasCost
    const gasMultiplier = Math.max(point.gasMultiplier, least)
    point = minimiseSmoothed(relaxation, { u: point.u, gasMultiplier }, δ)
    return boundWithOpen(relaxation, point, used).bound
  })
}

/**
 * Minimises the bound smoothed over δ, from a point. A multiplier that is the price of gas stays there: the block
 * has room for all.
 */
export function minimiseSmoothed(relaxation: Relaxation, start: Point, δ: number): Point {
  const { gasCost } = relaxation.terms
  const known: Columns[] = []
  const columnsOf = (i: number) => (known[i] ??= chooseColumns(relaxation, start.u, δ, i))
  let here = smoothedAt(relaxation, columnsOf, start, δ)
  for (let steps = 0; steps < tuning.MAX_SMOOTHED_STEPS; steps++) {
    const { point, gradient, matrix, row } = here
    const move = gradient.map((value) => -value)
    solveCholesky(matrix, move.length, move)
    const slope = gradient.reduce((sum, value, r) => sum + value * move[r]!, 0)
    if (!(-slope > tuning.ENOUGH * δ)) break
    const movedBy = (t: number) => {
      const changeOf = (k: number) => t * (move[row.get(k) ?? -1] ?? 0)
      const u = point.u.map((one, k) => one + changeOf(k))
      const above = (point.gasMultiplier - gasCost) * Math.exp(changeOf(u.length))
      return smoothedAt(relaxation, columnsOf, { u, gasMultiplier: gasCost + above }, δ)
    }
    const largest = move.reduce((most, one) => Math.max(most, Math.abs(one)), tuning.MAX_MOVE)
    let t = tuning.MAX_MOVE / largest
    let next = movedBy(t)
    const isLower = () => next.value <= here.value + tuning.ARMIJO * t * slope
    for (let tries = 1; tries < tuning.MAX_HALVINGS && !isLower(); tries++) {
      t /= 2
      next = movedBy(t)
    }
    if (!isLower()) break
    here = next
  }
  return here.point
}

/**
 * The smoothed bound, before the gas of the router, with its gradient and damped second derivative, whose lower
 * triangle counts. The unknowns, by their rows, are the log prices of the tokens that edges trade, and ln(λ − p).
 */
function smoothedAt(
  { graph, edges, from, to, source, sink, amount, tokens, terms }: Relaxation,
  columnsOf: (i: number) => Columns,
  point: Point,
  δ: number,
) {
  const { u, gasMultiplier } = point
  const ν = u.map(Math.exp)
  const order = amount * ν[source]!
  const above = gasMultiplier - terms.gasCost
  const unused = above > 0 ? above * terms.room : 0
  const near = [...edges.keys()].filter((i) => {
    const rate = (graph.spot[edges[i]!]! * ν[to[i]!]!) / ν[from[i]!]!
    return (1 - rate) * order <= tuning.FAR * δ
  })
  const met = new Set([tokens.length, source, sink, ...near.flatMap((i) => [from[i]!, to[i]!])])
  const row = new Map([...met].map((k, r) => [k, r]))
  const size = met.size
  const gradient = new Float64Array(size)
  const matrix = new Float64Array(size * size)
  gradient.set([unused, order])
  let value = order + unused
  for (const i of near) {
    const [νIn, νOut] = [ν[from[i]!]!, ν[to[i]!]!]
    const { x, y, gas } = columnsOf(i)
    const worth = x.map((one, k) => νOut * y[k]! - νIn * one - gasMultiplier * gas[k]!)
    const most = worth.reduce((a, b) => Math.max(a, b), 0)
    let sum = Math.exp(-most / δ)
    const mean = [0, 0, 0]
    const square = [0, 0, 0, 0, 0, 0, 0, 0, 0]
    for (let k = 0; k < x.length; k++) {
      if (most - worth[k]! > tuning.FAR * δ) continue
      const weight = Math.exp((worth[k]! - most) / δ)
      sum += weight
      const change = [-νIn * x[k]!, νOut * y[k]!, -above * gas[k]!]
      for (let m = 0; m < 3; m++) {
        mean[m]! += weight * change[m]!
        for (let n = 0; n < 3; n++) square[3 * m + n]! += weight * change[m]! * change[n]!
      }
    }
    value += most + δ * Math.log(sum)
    const rows = [row.get(from[i]!)!, row.get(to[i]!)!, 0]
    for (const [m, r] of rows.entries()) {
      gradient[r]! += mean[m]! / sum
      for (const [n, c] of rows.entries()) {
        const covariance = square[3 * m + n]! / sum - (mean[m]! / sum) * (mean[n]! / sum)
        if (c <= r) matrix[r * size + c]! += covariance / δ
      }
    }
  }
  for (let r = 0; r < size; r++) {
    matrix[r * size + r]! += Math.abs(gradient[r]!) + tuning.DAMPING * order
  }
  // The token out is the unit of all prices.
  matrix[row.get(sink)! * (size + 1)] = Number.POSITIVE_INFINITY
  return { point, value, gradient, matrix, row }
}

/** The columns of an edge: at the ticks, and between them as close as its curvature asks for. */
function chooseColumns(
  { graph, edges, from, to, source, amount }: Relaxation,
  u: Float64Array,
  δ: number,
  i: number,
): Columns {
  const e = edges[i]!
  const pieces = piecesOf(graph, e)
  const [uIn, uOut] = [u[from[i]!]!, u[to[i]!]!]
  const order = amount * Math.exp(u[source]! - uIn)
  const moved = inputAtOf(pieces, tuning.MOST_MOVE * Math.exp(uIn - uOut))
  const end = Math.min(limitOf(pieces), moved, tuning.MOST_TRADED * order)
  const last = graph.stepGas[e]! > 0 ? pieceAt(pieces, end * tuning.BELOW) : 0
  const inputs: number[] = []
  for (let j = 0; j <= last && end > 0; j++) {
    const low = pieces.startIn[j]!
    const high = j < last ? pieces.startIn[j + 1]! : end
    const bend = outOf(pieces, (low + high) / 2) - (outOf(pieces, low) + outOf(pieces, high)) / 2
    // Twice as many chords bend a quarter as much.
    const wanted = Math.ceil(Math.sqrt((Math.exp(uOut) * bend) / δ))
    const count = Math.min(Math.max(1, wanted), tuning.MOST_CHORDS)
    for (let n = 1; n < count; n++) inputs.push(low + ((high - low) * n) / count)
    inputs.push(high)
  }
  const x = Float64Array.from(inputs)
  const y = x.map((one) => outOf(pieces, one))
  const gasOf = gasOfPieces(graph, e)
  return { x, y, gas: x.map((one) => gasOf(pieceAt(pieces, one * tuning.BELOW))) }
}
