import { addConductance, factor, type Laplacian, narrow, solveFactored } from './laplacian.js'
import type { Problem } from './problem.js'
import { respond, respondAt, tradingOf } from './respond.js'

const MAX_ITERATIONS = 300
const MAX_STEP = 2
const ARMIJO = 1e-4
// A step is taken where what is left of the fall along it is this part of what it began with, or
// where g rises by no more than that.
const FLAT = 0.5
const TRIES = 40
// Where g turns at a corner it is flat nowhere: ends of a search this near to each other are enough.
const TIGHT = 1.5
// By so much a step is shortened where the curvature at its end does not tell how far to go.
const SHORTENED = 16
// How much longer than the last step taken a step is first tried, and than a try that was too short.
const LENGTHENED = 8

/** Where the dual came to rest. */
export type Minimum = {
  /** g(u): an upper bound on the output over the active edges, in units of the sink's token. */
  readonly bound: number
  readonly iterations: number
  /** The Newton system at the minimum, factored; its conductances are those of the flows. */
  readonly laplacian: Laplacian
}

/**
 * Minimises g(u) = A·e^u_source + Σ arb_i(u) over the active edges, from the prices in `problem.u`,
 * which it moves: semi-smooth Newton in log prices, whose matrix is the Laplacian of the edges'
 * conductances. Its gradient is ν_k times what token k has too much of, so at the minimum every
 * token's flows balance. Stops when a step promises less than `tolerance` of the output.
 *
 * Each row is damped by the size of its own imbalance: a token that no active edge touches then
 * moves by about one e-fold, and near the minimum the damping vanishes as fast as the step.
 *
 * g is smooth only in pieces: where a pool begins to trade, changes its range or fills, the local
 * conductance says nothing of what comes next, and a step may run into a pool a million times as
 * deep as those in sight. So a step goes on until g is flat along it, beyond such a pool's first wei
 * and not short of it: the next system then knows how it yields.
 */
export function minimise(problem: Problem, active: Int32Array, tolerance: number): Minimum {
  const { u, amount, source, laplacian, scratch } = problem
  narrowTo(problem, active)
  let g = respond(problem, active)
  imbalance(problem, active)
  let iterations = 0
  let length = 1
  for (; iterations < MAX_ITERATIONS; iterations++) {
    scratch.startU.set(u)
    const enough = tolerance * scaleOf(problem)
    const { slope, largest } = aim(problem, active, 1e-12 * amount * problem.ν[source]!)
    // Not a number: for dust the matrix is singular to floats, and the prices stay where they are.
    if (!(-slope > enough)) break
    const most = Math.min(1, MAX_STEP / largest)
    const next = descend(problem, active, { slope, g, first: LENGTHENED * length, most })
    if (next === undefined) {
      // This is as far as floats go.
      u.set(scratch.startU)
      g = respond(problem, active)
      break
    }
    g = next.g
    length = next.length
  }
  return { bound: g, iterations, laplacian }
}

/** Narrows the Newton system to the tokens at the ends of the active edges. */
function narrowTo({ from, to, source, laplacian, scratch }: Problem, active: Int32Array): void {
  const { isTouched } = scratch
  isTouched.fill(0)
  isTouched[source] = 1
  for (let s = 0; s < active.length; s++) {
    isTouched[from[active[s]!]!] = 1
    isTouched[to[active[s]!]!] = 1
  }
  narrow(laplacian, isTouched)
}

const BALANCINGS = 4

/**
 * Balances the flows at a minimum, where they are to be used and not the prices alone: next to a deep
 * pool a token's price need not move for an imbalance that is lost on the thin pool behind it. Takes
 * Newton steps while they lessen the largest imbalance and it is more than `tolerance` of the output.
 */
export function balance(problem: Problem, active: Int32Array, tolerance: number): void {
  const { u, ν, amount, source, laplacian, scratch } = problem
  const { gradient, startU } = scratch
  narrowTo(problem, active)
  imbalance(problem, active)
  let most = largestOf(gradient, laplacian)
  for (let n = 0; n < BALANCINGS && most > tolerance * scaleOf(problem); n++) {
    startU.set(u)
    const { largest } = aim(problem, active, 1e-12 * amount * ν[source]!)
    move(problem, Math.min(1, MAX_STEP / largest))
    respondAt(problem, active)
    imbalance(problem, active)
    const left = largestOf(gradient, laplacian)
    if (!(left < most)) {
      u.set(startU)
      respond(problem, active)
      return
    }
    most = left
  }
}

/**
 * What a tolerance is a part of: the amount at its marginal worth, for flows must balance, yet where
 * the order drains its pools and that is next to nothing, halfway (in logs) to what it brings.
 */
function scaleOf({ worth, amount, ν, source }: Problem): number {
  const marginal = amount * ν[source]!
  return worth > marginal ? Math.sqrt(worth * marginal) : marginal
}

/** The Newton step for the conductances as they stand, and how g falls along it. */
function aim(
  problem: Problem,
  active: Int32Array,
  least: number,
): { readonly slope: number; readonly largest: number } {
  const { laplacian, scratch } = problem
  const { gradient, step } = scratch
  const { size, token } = laplacian
  assemble(problem, active, least)
  factor(laplacian)
  for (let i = 0; i < size; i++) step[i] = -gradient[token[i]!]!
  solveFactored(laplacian, step)
  let largest = 0
  for (let i = 0; i < size; i++) largest = Math.max(largest, Math.abs(step[i]!))
  return { slope: riseAlong(problem), largest }
}

type Way = {
  readonly slope: number
  readonly g: number
  /** The part of the step to try first, and the most of it. */
  readonly first: number
  readonly most: number
}

/**
 * Goes along the step to where g is about flat: what part of it that is and g there, with the
 * gradient left in scratch; `undefined` if g does not fall. From beyond the minimum it comes back by
 * Newton's method for the fall along the step, whose rate rises with the prices as flows do: so it
 * stays beyond, where pools that the step ran into trade.
 */
function descend(
  problem: Problem,
  active: Int32Array,
  { slope, g: before, first, most }: Way,
): { readonly g: number; readonly length: number } | undefined {
  let [short, long] = [0, Number.POSITIVE_INFINITY]
  let t = Math.min(first, most)
  for (let n = 0; n < TRIES; n++) {
    move(problem, t)
    const g = respondAt(problem, active)
    imbalance(problem, active)
    const rise = riseAlong(problem)
    const isShort = rise <= 0 && g < before
    if (isShort) short = t
    else long = t
    const isLow = isShort || g <= before + ARMIJO * t * slope
    const isFlat = Math.abs(rise) <= -FLAT * slope
    if (isLow && (isFlat || long <= TIGHT * short)) return { g, length: t }
    if (isShort && t === most) return { g, length: t }
    if (long === Number.POSITIVE_INFINITY) {
      t = Math.min(most, LENGTHENED * t)
      continue
    }
    const back = isShort ? Number.NaN : t - rise / curvatureAlong(problem, active)
    if (back > short && back < long) t = back
    else t = short > 0 ? Math.sqrt(short * long) : long / SHORTENED
  }
  return undefined
}

/** How fast g rises along the step: its derivative by the part of the step taken. */
function riseAlong({ laplacian, scratch }: Problem): number {
  const { size, token } = laplacian
  let rise = 0
  for (let i = 0; i < size; i++) rise += scratch.gradient[token[i]!]! * scratch.step[i]!
  return rise
}

/** How fast that grows, by the conductances of the edges. */
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

/** Sets the prices to a part of the step from where it starts. */
function move({ u, ν, sink, laplacian, scratch }: Problem, t: number): void {
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

/** Gradient of g: the value of what each token has left over. */
function imbalance(problem: Problem, active: Int32Array): void {
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

/** The most that any token but the sink has too much or too little of. */
function largestOf(gradient: Float64Array, { size, token }: Laplacian): number {
  let largest = 0
  for (let i = 0; i < size; i++) largest = Math.max(largest, Math.abs(gradient[token[i]!]!))
  return largest
}
