/**
 * Newton's method on the smoothed bound. Input: a relaxation, a point and a
 * smoothing. Output: a point at which the bound is lower, and the edges it uses there.
 */
import { solveCholesky } from '../../math/cholesky.js'
import type { Relaxation } from './relaxation.js'
import { type Interior, type Smoothed, smoothedBound, smoothOver, type Use } from './smoothed.js'

const MAX_STEPS = 12
const MAX_HALVINGS = 10
const ARMIJO = 1e-4
// Largest change of a log price in a step, and the largest part of the way to a barrier.
const [MAX_MOVE, TO_BARRIER] = [1, 0.9]
// Steps end when they promise less than this part of δ.
const ENOUGH = 0.05
// Damping of prices that no trade determines, relative to the value of the order.
const DAMPING = 1e-12

/** Minimises the bound smoothed over δ, from a point inside the barriers. */
export function minimiseSmoothed(
  relaxation: Relaxation,
  start: Interior,
  δ: number,
): { readonly point: Interior; readonly uses: readonly Use[] } {
  const smoothing = smoothOver(relaxation, start, δ)
  let point = start
  let here = smoothedBound(relaxation, smoothing, point)
  for (let n = 0; n < MAX_STEPS; n++) {
    const step = newtonStep(relaxation, point, here.uses, δ)
    if (!(-step.slope > ENOUGH * δ)) break
    let next: Smoothed | undefined
    let t = Math.min(1, step.most)
    for (let tries = 0; tries < MAX_HALVINGS && !next; tries++, t /= 2) {
      const moved = movedBy(point, step, t)
      const found = smoothedBound(relaxation, smoothing, moved)
      if (!(found.value <= here.value + ARMIJO * t * step.slope)) continue
      next = found
      point = moved
    }
    if (!next) break
    here = next
  }
  return { point, uses: here.uses }
}

/** A step of the unknowns, its slope, and the longest length allowed. */
type Step = {
  readonly tokens: readonly number[]
  readonly move: Float64Array
  readonly gasMove: number
  readonly legMove: number
  readonly slope: number
  readonly most: number
}

function movedBy({ u, gasAbove, legPrice }: Interior, step: Step, t: number): Interior {
  const moved = u.slice()
  for (const [row, k] of step.tokens.entries()) moved[k]! += t * step.move[row]!
  return {
    u: moved,
    gasAbove: gasAbove + t * step.gasMove,
    legPrice: legPrice + t * step.legMove,
  }
}

/** The unknowns of a step: the tokens whose prices matter, and the multipliers that can bind. */
function unknownsOf(relaxation: Relaxation, point: Interior, uses: readonly Use[]) {
  const { from, to, source, sink } = relaxation
  const row = new Int32Array(relaxation.tokens.length).fill(-1)
  const tokens: number[] = []
  const include = (k: number) => {
    if (k !== sink && row[k]! < 0) row[k] = tokens.push(k) - 1
  }
  include(source)
  for (const { edge } of uses) {
    include(from[edge]!)
    include(to[edge]!)
  }
  const gasRow = point.gasAbove > 0 ? tokens.length : -1
  const legRow = point.legPrice > 0 ? tokens.length + (gasRow < 0 ? 0 : 1) : -1
  return { row, tokens, gasRow, legRow, size: Math.max(tokens.length, gasRow + 1, legRow + 1) }
}

function newtonStep(
  relaxation: Relaxation,
  point: Interior,
  uses: readonly Use[],
  δ: number,
): Step {
  const { from, to, source, amount, room, legs } = relaxation
  const { row, tokens, gasRow, legRow, size } = unknownsOf(relaxation, point, uses)
  const gradient = new Float64Array(size)
  const matrix = new Float64Array(size * size)
  const add = (i: number, j: number, value: number) => {
    if (i >= 0 && j >= 0) matrix[Math.max(i, j) * size + Math.min(i, j)]! += value
  }
  const slope = (i: number, value: number) => {
    if (i >= 0) gradient[i]! += value
  }
  const spot = amount * Math.exp(point.u[source]!)
  slope(row[source]!, spot)
  for (const use of uses) {
    const [a, b] = [row[from[use.edge]!]!, row[to[use.edge]!]!]
    slope(a, use.dIn)
    slope(b, use.dOut)
    slope(gasRow, use.dGas)
    slope(legRow, -use.weight)
    add(a, a, use.inIn)
    add(a, b, use.inOut)
    add(b, b, use.outOut)
    add(a, gasRow, use.inGas)
    add(b, gasRow, use.outGas)
    add(gasRow, gasRow, use.gasGas)
    add(a, legRow, -use.dIn * use.unused)
    add(b, legRow, -use.dOut * use.unused)
    add(gasRow, legRow, -use.dGas * use.unused)
    add(legRow, legRow, use.weight * use.unused)
  }
  for (let i = 0; i < tokens.length; i++) add(i, i, Math.abs(gradient[i]!) + DAMPING * spot)
  const limit = (i: number, most: number, above: number) => {
    slope(i, most - δ / above)
    add(i, i, δ / above ** 2)
  }
  limit(gasRow, room, point.gasAbove)
  limit(legRow, legs, point.legPrice)
  const move = gradient.map((value) => -value)
  solveCholesky(matrix, size, move)
  return stepOf(point, { tokens, gasRow, legRow }, gradient, move)
}

function stepOf(
  { gasAbove, legPrice }: Interior,
  unknowns: {
    readonly tokens: readonly number[]
    readonly gasRow: number
    readonly legRow: number
  },
  gradient: Float64Array,
  move: Float64Array,
): Step {
  const { tokens, gasRow, legRow } = unknowns
  let largest = 0
  for (let i = 0; i < tokens.length; i++) largest = Math.max(largest, Math.abs(move[i]!))
  const gasMove = gasRow < 0 ? 0 : move[gasRow]!
  const legMove = legRow < 0 ? 0 : move[legRow]!
  const toBarrier = (above: number, by: number) =>
    by < 0 ? (TO_BARRIER * above) / -by : Number.POSITIVE_INFINITY
  return {
    ...{ tokens, move, gasMove, legMove },
    slope: gradient.reduce((sum, value, i) => sum + value * move[i]!, 0),
    most: Math.min(MAX_MOVE / largest, toBarrier(gasAbove, gasMove), toBarrier(legPrice, legMove)),
  }
}
