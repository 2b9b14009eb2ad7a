/**
 * Minimisation of the dual by a damped semi-smooth Newton method in log prices, with a line search
 * that goes on until it is flat. Input: a problem and its active edges. Output: `problem.u` at
 * the minimum of g, whose flows balance. Everything after it starts from these prices.
 */
import { addConductance, factor, restrict, solveFactored } from '../../math/laplacian.js'
import type { Problem } from '../network/problem.js'
import * as tuning from '../tuning.js'
import { solveArbitrage } from './arbitrage.js'

/** g(u) at the minimum, an upper bound on the output in sink units, and the Newton steps that it took. */
export type Minimum = { readonly bound: number; readonly iterations: number }

/**
 * Minimises g(u) = A·e^u_source + Σ arb_i(u) over the active edges. Starts from `problem.u` and leaves the
 * minimiser there, and in `problem.laplacian` the last system: the Laplacian of the edges' conductances. The
 * gradient is ν_k times the excess of token k, so the flows balance at the minimum. Stops when the predicted
 * decrease of a step is below `TOLERANCE` of the amount. docs/solver.md says why the line search goes on until
 * g is flat, and why conductances are held after `STEPS_BEFORE_HOLD` steps.
 */
export function minimiseDual(problem: Problem, active: Int32Array): Minimum {
  const { from, to, source, laplacian, scratch } = problem
  // No active edge depends on the prices of other tokens.
  const isTouched = scratch.isTouched.fill(0)
  isTouched[source] = 1
  for (const i of active) isTouched[from[i]!] = isTouched[to[i]!] = 1
  restrict(laplacian, isTouched)
  let g = solveArbitrage(problem, active)
  let length = 1
  let held: Float64Array | undefined
  for (let n = 0; n < tuning.MAX_STEPS; n++) {
    const least = leastChange(problem, g)
    if (n === tuning.STEPS_BEFORE_HOLD) held = new Float64Array(from.length)
    let slope = setNewtonStep(problem, active, held)
    if (held && !(-slope > least)) slope = setNewtonStep(problem, active)
    // Also stops at NaN: for dust amounts the matrix is singular in floats, and the prices stay.
    if (!(-slope > least)) return { bound: g, iterations: n }
    const next = lineSearch(problem, active, g, slope, tuning.EXPAND * length)
    // Float precision is exhausted.
    if (!next) return { bound: moveTo(problem, active, 0), iterations: n }
    ;({ g, length } = next)
  }
  return { bound: g, iterations: tuning.MAX_STEPS }
}

/**
 * Minimises the dual and balances the flows; needed if the flows are used and not only the prices. Next to a
 * deep pool, an imbalance hardly moves a token's price, but is a loss on a thin pool behind it.
 * Takes Newton steps while the largest imbalance decreases and exceeds `TOLERANCE` of the amount.
 */
export function balanceFlows(problem: Problem, active: Int32Array): void {
  const least = leastChange(problem, minimiseDual(problem, active).bound)
  let most = largestImbalance(problem)
  for (let n = 0; n < tuning.MAX_STEPS && most > least; n++) {
    setNewtonStep(problem, active)
    moveTo(problem, active, longestStep(problem))
    const left = largestImbalance(problem)
    if (!(left < most)) {
      moveTo(problem, active, 0)
      return
    }
    most = left
  }
}

/**
 * The least change of a value that counts: relative to the geometric mean of g and the amount at its marginal
 * price, which falls without end if the order drains its pools.
 */
function leastChange({ amount, ν, source }: Problem, g: number): number {
  return tuning.TOLERANCE * Math.sqrt(g * amount * ν[source]!)
}

/**
 * Computes the Newton step from the present prices; returns the slope of g along it. Each row is damped by the
 * size of its own imbalance. A token whose edges do not trade then moves by about one e-fold, and near the
 * minimum the damping vanishes as fast as the step. Where two deep pools trade by turns, a step knows only the
 * one that trades at its start: edges count with at least the conductance in `held`, a part of what they had.
 */
function setNewtonStep(problem: Problem, active: Int32Array, held?: Float64Array): number {
  const { from, to, u, ν, c, amount, source, gradient, trading, laplacian, scratch } = problem
  const { step, startU } = scratch
  const { matrix, damping, token, size } = laplacian
  startU.set(u)
  matrix.fill(0, 0, size * size)
  for (let r = 0; r < size; r++) {
    const slope = gradient[token[r]!]!
    step[r] = -slope
    damping[r] = Math.abs(slope) + tuning.FLOAT_ROUNDING * amount * ν[source]!
    matrix[r * size + r] = damping[r]!
  }
  const some = held ? active : trading.edges
  const count = held ? active.length : trading.count
  for (let s = 0; s < count; s++) {
    const i = some[s]!
    const conductance = Math.max(c[i]!, held?.[i] ?? 0)
    if (held) held[i] = Math.max(c[i]!, tuning.HELD_CONDUCTANCE * held[i]!)
    if (conductance > 0) addConductance(laplacian, from[i]!, to[i]!, conductance)
  }
  factor(laplacian)
  solveFactored(laplacian, step)
  return riseAlong(problem)
}

/** The longest part of the Newton step, at most all of it, that changes no log price too much. */
function longestStep({ laplacian: { size }, scratch: { step } }: Problem): number {
  let largest = tuning.MAX_STEP
  for (let r = 0; r < size; r++) largest = Math.max(largest, Math.abs(step[r]!))
  return tuning.MAX_STEP / largest
}

/**
 * Line search for a length at which g is about flat along the step, from a `first` one. Returns the length
 * and g there, and leaves the gradient in scratch; `undefined` if g does not decrease. From beyond the
 * minimum it returns by Newton's method on φ′. The slope of φ′ grows with the flows, so the iterates stay
 * beyond the minimum, where the pools that the step ran into trade.
 */
function lineSearch(
  problem: Problem,
  active: Int32Array,
  before: number,
  slope: number,
  first: number,
): { readonly g: number; readonly length: number } | undefined {
  const most = longestStep(problem)
  let [short, long] = [0, Number.POSITIVE_INFINITY]
  let t = Math.min(first, most)
  for (let n = 0; n < tuning.MAX_STEPS; n++) {
    const g = moveTo(problem, active, t)
    const rise = riseAlong(problem)
    const isShort = rise <= 0 && g < before
    if (isShort) short = t
    else long = t
    const isLow = isShort || g < before
    const isFlat = Math.abs(rise) <= -tuning.WOLFE_CURVATURE * slope
    const isEnd = isFlat || long <= tuning.BRACKET_RATIO * short
    if ((isLow && isEnd) || (isShort && t === most)) return { g, length: t }
    if (long === Number.POSITIVE_INFINITY) {
      t = Math.min(most, tuning.EXPAND * t)
      continue
    }
    const back = isShort ? Number.NaN : t - rise / curvatureAlong(problem)
    if (back > short && back < long) t = back
    else t = short > 0 ? Math.sqrt(short * long) : long / tuning.EXPAND
  }
  return undefined
}

/** φ′: the derivative of g by the step length. */
function riseAlong({ gradient, laplacian, scratch }: Problem): number {
  const { size, token } = laplacian
  let rise = 0
  for (let r = 0; r < size; r++) rise += gradient[token[r]!]! * scratch.step[r]!
  return rise
}

/** φ″, from the conductances of the edges. */
function curvatureAlong({ from, to, c, trading, laplacian, scratch }: Problem): number {
  const moveOf = (k: number) => (laplacian.row[k]! < 0 ? 0 : scratch.step[laplacian.row[k]!]!)
  let curvature = 0
  for (let s = 0; s < trading.count; s++) {
    const i = trading.edges[s]!
    if (c[i]! > 0) curvature += c[i]! * (moveOf(to[i]!) - moveOf(from[i]!)) ** 2
  }
  return curvature
}

/** Moves the prices to the start of the step plus `t` times the step; returns g there. */
function moveTo(problem: Problem, active: Int32Array, t: number): number {
  const { u, laplacian, scratch } = problem
  const { size, token } = laplacian
  for (let r = 0; r < size; r++) u[token[r]!] = scratch.startU[token[r]!]! + t * scratch.step[r]!
  return solveArbitrage(problem, active)
}

/** The largest imbalance of any token except the sink, as a value. */
function largestImbalance({ gradient, laplacian }: Problem): number {
  let largest = 0
  for (let r = 0; r < laplacian.size; r++)
    largest = Math.max(largest, Math.abs(gradient[laplacian.token[r]!]!))
  return largest
}
