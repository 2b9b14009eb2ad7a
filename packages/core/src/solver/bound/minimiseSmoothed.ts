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
import { gasOfPiece, type Point } from '../dual/bestTrades.js'
import type { Relaxation } from '../network/relaxation.js'
import * as tuning from '../tuning.js'

/** The columns of an edge: inputs, outputs and gas, ascending. */
type Columns = {
  readonly x: readonly number[]
  readonly y: readonly number[]
  readonly gas: readonly number[]
}

/** What an edge adds to the gradient and the matrix, in the unknowns `at`: token in, token out, gas. */
type Use = {
  readonly at: readonly [number, number, number]
  readonly slope: readonly number[]
  readonly curvature: readonly number[]
}

/**
 * Minimises the bound smoothed over δ, from a point. A multiplier that is the price of gas stays there: the block
 * has room for all.
 */
export function minimiseSmoothed(relaxation: Relaxation, start: Point, δ: number): Point {
  const { gasCost } = relaxation.terms
  const known: (Columns | undefined)[] = []
  const columnsOf = (i: number) => (known[i] ??= chooseColumns(relaxation, start.u, δ, i))
  let point = start
  let here = smoothedAt(relaxation, columnsOf, point, δ)
  for (let n = 0; n < tuning.MAX_SMOOTHED_STEPS; n++) {
    const { move, slope, largest } = newtonStep(relaxation, point, here.uses)
    if (!(-slope > tuning.ENOUGH * δ)) break
    let next: typeof here | undefined
    let t = Math.min(1, tuning.MAX_MOVE / largest)
    for (let tries = 0; tries < tuning.MAX_HALVINGS && !next; tries++, t /= 2) {
      const u = point.u.map((one, k) => one + t * move[k]!)
      const above = (point.gasMultiplier - gasCost) * Math.exp(t * move[u.length]!)
      const moved = { u, gasMultiplier: gasCost + above }
      const found = smoothedAt(relaxation, columnsOf, moved, δ)
      if (!(found.value <= here.value + tuning.ARMIJO * t * slope)) continue
      next = found
      point = moved
    }
    if (!next) break
    here = next
  }
  return point
}

/** The smoothed bound, before the gas of the router, and what its edges add to the derivatives. */
function smoothedAt(
  { graph, edges, from, to, source, amount, tokens, terms }: Relaxation,
  columnsOf: (i: number) => Columns,
  { u, gasMultiplier }: Point,
  δ: number,
): { readonly value: number; readonly uses: readonly Use[] } {
  const ν = u.map(Math.exp)
  const order = amount * ν[source]!
  const above = gasMultiplier - terms.gasCost
  let value = order + (above > 0 ? above * terms.room : 0)
  const uses: Use[] = []
  for (let i = 0; i < edges.length; i++) {
    const [a, b] = [from[i]!, to[i]!]
    if ((1 - (graph.spot[edges[i]!]! * ν[b]!) / ν[a]!) * order > tuning.FAR * δ) continue
    const { added, ...rest } = soften(columnsOf(i), [ν[a]!, ν[b]!, gasMultiplier, above], δ)
    value += added
    if (added > 0) uses.push({ at: [a, b, tokens.length], ...rest })
  }
  return { value, uses }
}

/** δ·ln(1 + Σ exp(r/δ)), and its first and second derivatives by ln ν_a, ln ν_b and ln(λ − p). */
function soften(
  { x, y, gas }: Columns,
  [νIn, νOut, λ, above]: readonly [number, number, number, number],
  δ: number,
) {
  const worth = x.map((one, k) => νOut * y[k]! - νIn * one - λ * gas[k]!)
  const most = worth.reduce((a, b) => Math.max(a, b), 0)
  let sum = Math.exp(-most / δ)
  const slope = [0, 0, 0]
  const curvature = [0, 0, 0, 0, 0, 0, 0, 0, 0]
  for (let k = 0; k < x.length; k++) {
    if (most - worth[k]! > tuning.FAR * δ) continue
    const weight = Math.exp((worth[k]! - most) / δ)
    sum += weight
    const change = [-νIn * x[k]!, νOut * y[k]!, -above * gas[k]!]
    for (let i = 0; i < 3; i++) {
      slope[i]! += weight * change[i]!
      for (let j = 0; j < 3; j++) curvature[3 * i + j]! += weight * change[i]! * change[j]!
    }
  }
  const mean = slope.map((total) => total / sum)
  const spread = curvature.map((total, n) => {
    return (total / sum - mean[Math.floor(n / 3)]! * mean[n % 3]!) / δ
  })
  return { added: most + δ * Math.log(sum), slope: mean, curvature: spread }
}

/** Newton's step over the unknowns that matter; by unknown, with its slope. */
function newtonStep(
  { tokens, source, sink, amount, terms }: Relaxation,
  { u, gasMultiplier }: Point,
  uses: readonly Use[],
) {
  const above = gasMultiplier - terms.gasCost
  const isFree = (k: number) => k !== sink && (k < tokens.length || above > 0)
  const met = new Set([source, tokens.length, ...uses.flatMap(({ at }) => at)])
  const free = [...met].filter(isFree)
  const row = new Map(free.map((k, r) => [k, r]))
  const size = free.length
  const order = amount * Math.exp(u[source]!)
  const gradient = new Float64Array(size)
  const matrix = new Float64Array(size * size)
  gradient[row.get(source)!] = order
  if (above > 0) gradient[row.get(tokens.length)!] = above * terms.room
  for (const { at, slope, curvature } of uses) {
    const rows = at.map((k) => row.get(k) ?? -1)
    for (const [i, r] of rows.entries()) {
      if (r < 0) continue
      gradient[r]! += slope[i]!
      for (const [j, c] of rows.entries()) {
        if (c >= 0 && c <= r) matrix[r * size + c]! += curvature[3 * i + j]!
      }
    }
  }
  for (let r = 0; r < size; r++)
    matrix[r * size + r]! += Math.abs(gradient[r]!) + tuning.DAMPING * order
  const solved = gradient.map((value) => -value)
  solveCholesky(matrix, size, solved)
  const move = new Float64Array(tokens.length + 1)
  for (const [r, k] of free.entries()) move[k] = solved[r]!
  return {
    move,
    slope: gradient.reduce((sum, value, r) => sum + value * solved[r]!, 0),
    largest: solved.reduce((most, one) => Math.max(most, Math.abs(one)), 0),
  }
}

/** The columns of an edge: at the ticks, and between them as close as its curvature asks for. */
function chooseColumns(relaxation: Relaxation, u: Float64Array, δ: number, i: number): Columns {
  const { graph, edges } = relaxation
  const e = edges[i]!
  const pieces = piecesOf(graph, e)
  const [uIn, uOut] = [u[relaxation.from[i]!]!, u[relaxation.to[i]!]!]
  const order = relaxation.amount * Math.exp(u[relaxation.source]! - uIn)
  const moved = inputAtOf(pieces, tuning.MOST_MOVE * Math.exp(uIn - uOut))
  const end = Math.min(limitOf(pieces), moved, tuning.MOST_TRADED * order)
  const x: number[] = []
  if (!(end > 0)) return { x, y: x, gas: x }
  const between = (low: number, high: number, halvings: number) => {
    const middle = (low + high) / 2
    const bend = outOf(pieces, middle) - (outOf(pieces, low) + outOf(pieces, high)) / 2
    if (halvings > 0 && Math.exp(uOut) * bend > tuning.CHORD * δ) {
      between(low, middle, halvings - 1)
      between(middle, high, halvings - 1)
    } else x.push(high)
  }
  const last = graph.stepGas[e]! > 0 ? pieceAt(pieces, end * tuning.BELOW) : 0
  const ticks = [0, ...pieces.startIn.slice(1, last + 1), end]
  for (let n = 1; n < ticks.length; n++) between(ticks[n - 1]!, ticks[n]!, tuning.MOST_HALVED)
  return {
    x,
    y: x.map((one) => outOf(pieces, one)),
    gas: x.map((one) => gasOfPiece(graph, e, pieceAt(pieces, one * tuning.BELOW))),
  }
}
