/**
 * Minimisation of the dual by a damped semi-smooth Newton method in log prices, with a line search
 * for the strong Wolfe conditions. Input: a problem and its active edges. Output: `problem.u` at
 * the minimum of g, whose flows balance. Everything after it starts from these prices.
 */
import {
  addConductance,
  factor,
  type Laplacian,
  restrict,
  solveFactored,
} from '../../math/laplacian.js'
import type { Problem } from '../network/problem.js'
import {
  ARMIJO,
  BACKTRACK,
  BRACKET_RATIO,
  DAMPING,
  EXPAND,
  HELD,
  MAX_EVALUATIONS,
  MAX_NEWTON_STEPS,
  MAX_RESTORATIONS,
  MAX_STEP,
  STEPS_BEFORE_HOLD,
  WOLFE_CURVATURE,
} from '../tuning.js'
import { solveArbitrage, solveArbitrageAt, tradingOf } from './arbitrage.js'

/** The result of a minimisation. */
export type Minimum = {
  /** g(u): an upper bound on the output over the active edges, in units of the sink's token. */
  readonly bound: number
  readonly iterations: number
  /** The last Newton system, factored; its conductances are those of the flows. */
  readonly laplacian: Laplacian
}

/**
 * Minimises g(u) = A·e^u_source + Σ arb_i(u) over the active edges by semi-smooth Newton in log
 * prices. Starts from `problem.u` and leaves the minimiser there. The matrix is the Laplacian of
 * the edges' conductances. The gradient is ν_k times the excess of token k, so the flows balance at
 * the minimum. Stops when the predicted decrease of a step is below `tolerance` of the output.
 *
 * Each row is damped by the size of its own imbalance. A token whose edges do not trade then moves
 * by about one e-fold, and near the minimum the damping vanishes as fast as the step.
 *
 * g is only piecewise smooth. When a pool begins to trade, changes its range or fills, the local
 * conductance says nothing about the next piece, and that pool may be a million times as deep as
 * the others. So the line search continues until g is flat along the step. This puts the step
 * beyond such a pool's first wei, and the next system contains the pool's conductance. If that does not
 * end the minimisation within {@link STEPS_BEFORE_HOLD} steps, conductances are held.
 */
export function minimiseDual(problem: Problem, active: Int32Array, tolerance: number): Minimum {
  const { laplacian } = problem
  restrictTo(problem, active)
  let g = solveArbitrage(problem, active)
  computeGradient(problem, active)
  let iterations = 0
  let length = 1
  let held: Float64Array | undefined
  for (; iterations < MAX_NEWTON_STEPS; iterations++) {
    const minDecrement = tolerance * objectiveScale(problem)
    let step = newtonStep(problem, active, held)
    if (held && !(-step.slope > minDecrement)) step = newtonStep(problem, active)
    const { slope, largest } = step
    // Also stops at NaN: for dust amounts the matrix is singular in floats, and the prices stay.
    if (!(-slope > minDecrement)) break
    if (iterations >= STEPS_BEFORE_HOLD) held = hold(problem, active, held)
    const most = Math.min(1, MAX_STEP / largest)
    const next = lineSearch(problem, active, { slope, g, first: EXPAND * length, most })
    if (!next) {
      // Float precision is exhausted.
      g = stepBack(problem, active)
      break
    }
    ;({ g, length } = next)
  }
  return { bound: g, iterations, laplacian }
}

/**
 * The conductances of the edges, or a part of those that they had, whichever is larger. Where two deep
 * pools trade by turns, each step knows only the one that trades at its start, and stops at the first
 * wei of the other.
 */
function hold({ c }: Problem, active: Int32Array, before?: Float64Array): Float64Array {
  const held = before ?? new Float64Array(c.length)
  for (const i of active) held[i] = Math.max(c[i]!, HELD * held[i]!)
  return held
}

/** Restricts the Newton system to the tokens of the active edges. */
function restrictTo({ from, to, source, laplacian, scratch }: Problem, active: Int32Array): void {
  const { isTouched } = scratch
  isTouched.fill(0)
  isTouched[source] = 1
  for (let s = 0; s < active.length; s++) {
    isTouched[from[active[s]!]!] = 1
    isTouched[to[active[s]!]!] = 1
  }
  restrict(laplacian, isTouched)
}

/**
 * Balances the flows at a minimum; needed if the flows are used and not only the prices. Next to a
 * deep pool, an imbalance hardly moves a token's price, but is a loss on a thin pool behind it.
 * Takes Newton steps while the largest imbalance decreases and exceeds `tolerance` of the output.
 */
export function restoreBalance(problem: Problem, active: Int32Array, tolerance: number): void {
  restrictTo(problem, active)
  computeGradient(problem, active)
  let most = largestImbalance(problem)
  for (let n = 0; n < MAX_RESTORATIONS && most > tolerance * objectiveScale(problem); n++) {
    const { largest } = newtonStep(problem, active)
    moveTo(problem, active, Math.min(1, MAX_STEP / largest))
    const left = largestImbalance(problem)
    if (!(left < most)) {
      stepBack(problem, active)
      return
    }
    most = left
  }
}

/**
 * The value that tolerances are relative to: the amount at its marginal price. If the order drains
 * its pools, that is almost zero; then the geometric mean of it and the output.
 */
function objectiveScale({ outputEstimate, amount, ν, source }: Problem): number {
  const marginal = amount * ν[source]!
  return outputEstimate > marginal ? Math.sqrt(outputEstimate * marginal) : marginal
}

/**
 * The Newton step from the present prices, for their conductances or those held: the slope of g along
 * it, and its largest component.
 */
function newtonStep(
  problem: Problem,
  active: Int32Array,
  held?: Float64Array,
): { readonly slope: number; readonly largest: number } {
  const { from, to, u, ν, c, amount, source, laplacian, scratch } = problem
  const { gradient, step, startU } = scratch
  const { matrix, damping, token, size } = laplacian
  startU.set(u)
  matrix.fill(0, 0, size * size)
  for (let r = 0; r < size; r++) {
    const slope = gradient[token[r]!]!
    step[r] = -slope
    damping[r] = Math.abs(slope) + DAMPING * amount * ν[source]!
    matrix[r * size + r] = damping[r]!
  }
  // An edge that no longer trades may still hold a conductance.
  const { edges, count } = held
    ? { edges: active, count: active.length }
    : tradingOf(problem, active)
  for (let s = 0; s < count; s++) {
    const i = edges[s]!
    const conductance = held ? Math.max(c[i]!, held[i]!) : c[i]!
    if (conductance > 0) addConductance(laplacian, from[i]!, to[i]!, conductance)
  }
  factor(laplacian)
  solveFactored(laplacian, step)
  let largest = 0
  for (let r = 0; r < size; r++) largest = Math.max(largest, Math.abs(step[r]!))
  return { slope: riseAlong(problem), largest }
}

type LineSearch = {
  readonly slope: number
  readonly g: number
  /** The step length to try first, and the longest allowed. */
  readonly first: number
  readonly most: number
}

/**
 * Line search for a length at which g is about flat along the step. Returns the length and g there,
 * and leaves the gradient in scratch; `undefined` if g does not decrease. From beyond the minimum
 * it returns by Newton's method on φ′. The slope of φ′ grows with the flows, so the iterates stay
 * beyond the minimum, where the pools that the step ran into trade.
 */
function lineSearch(
  problem: Problem,
  active: Int32Array,
  { slope, g: before, first, most }: LineSearch,
): { readonly g: number; readonly length: number } | undefined {
  let [short, long] = [0, Number.POSITIVE_INFINITY]
  let t = Math.min(first, most)
  for (let n = 0; n < MAX_EVALUATIONS; n++) {
    const g = moveTo(problem, active, t)
    const rise = riseAlong(problem)
    const isShort = rise <= 0 && g < before
    if (isShort) short = t
    else long = t
    const isLow = isShort || g <= before + ARMIJO * t * slope
    const isFlat = Math.abs(rise) <= -WOLFE_CURVATURE * slope
    if (isLow && (isFlat || long <= BRACKET_RATIO * short)) return { g, length: t }
    if (isShort && t === most) return { g, length: t }
    if (long === Number.POSITIVE_INFINITY) {
      t = Math.min(most, EXPAND * t)
      continue
    }
    const back = isShort ? Number.NaN : t - rise / curvatureAlong(problem, active)
    if (back > short && back < long) t = back
    else t = short > 0 ? Math.sqrt(short * long) : long / BACKTRACK
  }
  return undefined
}

/** φ′: the derivative of g by the step length. */
function riseAlong({ laplacian, scratch }: Problem): number {
  const { size, token } = laplacian
  let rise = 0
  for (let i = 0; i < size; i++) rise += scratch.gradient[token[i]!]! * scratch.step[i]!
  return rise
}

/** φ″, from the conductances of the edges. */
function curvatureAlong(problem: Problem, active: Int32Array): number {
  const { from, to, c, laplacian, scratch } = problem
  const { edges, count } = tradingOf(problem, active)
  const moveOf = (k: number) => (laplacian.row[k]! < 0 ? 0 : scratch.step[laplacian.row[k]!]!)
  let curvature = 0
  for (let s = 0; s < count; s++) {
    const i = edges[s]!
    curvature += c[i]! * (moveOf(to[i]!) - moveOf(from[i]!)) ** 2
  }
  return curvature
}

/** Moves the prices to the start of the step plus `t` times the step; returns g there. */
function moveTo(problem: Problem, active: Int32Array, t: number): number {
  const { u, ν, sink, laplacian, scratch } = problem
  const { size, token } = laplacian
  u[sink] = 0
  ν[sink] = 1
  for (let r = 0; r < size; r++) {
    const k = token[r]!
    u[k] = scratch.startU[k]! + t * scratch.step[r]!
    ν[k] = Math.exp(u[k]!)
  }
  const g = solveArbitrageAt(problem, active)
  computeGradient(problem, active)
  return g
}

/** Returns to the prices at the start of the step, and to g there. */
function stepBack(problem: Problem, active: Int32Array): number {
  problem.u.set(problem.scratch.startU)
  return solveArbitrage(problem, active)
}

/** Gradient of g: the value of each token's excess. */
function computeGradient(problem: Problem, active: Int32Array): void {
  const { from, to, x, y, ν, source, amount, scratch } = problem
  const { gradient } = scratch
  gradient.fill(0)
  gradient[source] = amount
  const { edges, count } = tradingOf(problem, active)
  for (let s = 0; s < count; s++) {
    const i = edges[s]!
    gradient[from[i]!]! -= x[i]!
    gradient[to[i]!]! += y[i]!
  }
  for (let k = 0; k < ν.length; k++) gradient[k]! *= ν[k]!
}

/** The largest imbalance of any token except the sink, as a value. */
function largestImbalance({ laplacian, scratch }: Problem): number {
  let largest = 0
  for (let r = 0; r < laplacian.size; r++) {
    largest = Math.max(largest, Math.abs(scratch.gradient[laplacian.token[r]!]!))
  }
  return largest
}
