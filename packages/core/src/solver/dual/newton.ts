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
  const { u, amount, source, laplacian, scratch } = problem
  restrictTo(problem, active)
  let g = solveArbitrage(problem, active)
  computeGradient(problem, active)
  let iterations = 0
  let length = 1
  let held: Float64Array | undefined
  for (; iterations < MAX_NEWTON_STEPS; iterations++) {
    scratch.startU.set(u)
    const minDecrement = tolerance * objectiveScale(problem)
    const least = 1e-12 * amount * problem.ν[source]!
    let { slope, largest } = newtonStep(problem, active, least, held)
    if (held && !(-slope > minDecrement)) ({ slope, largest } = newtonStep(problem, active, least))
    // Also stops at NaN: for dust amounts the matrix is singular in floats, and the prices stay.
    if (!(-slope > minDecrement)) break
    if (iterations >= STEPS_BEFORE_HOLD) held = hold(problem, active, held)
    const maxStep = Math.min(1, MAX_STEP / largest)
    const next = lineSearch(problem, active, { slope, g, first: EXPAND * length, most: maxStep })
    if (next === undefined) {
      // Float precision is exhausted.
      u.set(scratch.startU)
      g = solveArbitrage(problem, active)
      break
    }
    g = next.g
    length = next.length
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
  for (let s = 0; s < active.length; s++) {
    const i = active[s]!
    held[i] = Math.max(c[i]!, HELD * held[i]!)
  }
  return held
}

/** Adds what is held above the conductances at the present prices. */
function addHeld(
  { from, to, c, laplacian }: Problem,
  active: Int32Array,
  held: Float64Array,
): void {
  for (let s = 0; s < active.length; s++) {
    const i = active[s]!
    if (held[i]! > c[i]!) addConductance(laplacian, from[i]!, to[i]!, held[i]! - c[i]!)
  }
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
  const { u, ν, amount, source, laplacian, scratch } = problem
  const { gradient, startU } = scratch
  restrictTo(problem, active)
  computeGradient(problem, active)
  let most = largestOf(gradient, laplacian)
  for (let n = 0; n < MAX_RESTORATIONS && most > tolerance * objectiveScale(problem); n++) {
    startU.set(u)
    const { largest } = newtonStep(problem, active, 1e-12 * amount * ν[source]!)
    applyStep(problem, Math.min(1, MAX_STEP / largest))
    solveArbitrageAt(problem, active)
    computeGradient(problem, active)
    const left = largestOf(gradient, laplacian)
    if (!(left < most)) {
      u.set(startU)
      solveArbitrage(problem, active)
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
 * The Newton step for the current conductances: the slope of g along it, and its largest component.
 */
function newtonStep(
  problem: Problem,
  active: Int32Array,
  least: number,
  held?: Float64Array,
): { readonly slope: number; readonly largest: number } {
  const { laplacian, scratch } = problem
  const { gradient, step } = scratch
  const { size, token } = laplacian
  assemble(problem, active, least)
  if (held) addHeld(problem, active, held)
  factor(laplacian)
  for (let i = 0; i < size; i++) step[i] = -gradient[token[i]!]!
  solveFactored(laplacian, step)
  let largest = 0
  for (let i = 0; i < size; i++) largest = Math.max(largest, Math.abs(step[i]!))
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
    applyStep(problem, t)
    const g = solveArbitrageAt(problem, active)
    computeGradient(problem, active)
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

/** Sets the prices to the start of the step plus `t` times the step. */
function applyStep({ u, ν, sink, laplacian, scratch }: Problem, t: number): void {
  const { size, token } = laplacian
  const { startU, step } = scratch
  u[sink] = 0
  ν[sink] = 1
  for (let i = 0; i < size; i++) {
    const k = token[i]!
    u[k] = startU[k]! + t * step[i]!
    ν[k] = Math.exp(u[k]!)
  }
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

function assemble(problem: Problem, active: Int32Array, least: number): void {
  const { from, to, c, laplacian, scratch } = problem
  const { matrix, damping, token, size } = laplacian
  matrix.fill(0, 0, size * size)
  for (let i = 0; i < size; i++) {
    damping[i] = Math.abs(scratch.gradient[token[i]!]!) + least
    matrix[i * size + i] = damping[i]!
  }
  const { edges, count } = tradingOf(problem, active)
  for (let s = 0; s < count; s++) {
    const i = edges[s]!
    if (c[i]! > 0) addConductance(laplacian, from[i]!, to[i]!, c[i]!)
  }
}

/** The largest imbalance of any token except the sink, as a value. */
function largestOf(gradient: Float64Array, { size, token }: Laplacian): number {
  let largest = 0
  for (let i = 0; i < size; i++) largest = Math.max(largest, Math.abs(gradient[token[i]!]!))
  return largest
}
