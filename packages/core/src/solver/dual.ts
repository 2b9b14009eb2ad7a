import { addConductance, factor, type Laplacian, narrow, solveFactored } from './laplacian.js'
import { type Problem, respond, respondAt, tradingOf } from './problem.js'

const MAX_ITERATIONS = 100
const MAX_STEP = 2
const ARMIJO = 1e-4
const HALVINGS = 40
// Refused steps that are taken anew with what they taught before the step itself is shortened.
const LESSONS = 2
// What is left of a lesson at the next, and after every step.
const FADE = 0.5
// Steps that learn; then plain ones, for a lesson next to a very deep pool outlives its truth.
const TAUGHT = 15
// How much longer than the last step taken a step is first tried, once steps have to be halved.
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
 * conductance says nothing of what comes next, and a step refused there would be halved many times.
 * Instead the refused step is a lesson: what the flow of each edge truly changed by along it is a
 * chord conductance, remembered for the steps to come and slowly forgotten.
 */
export function minimise(problem: Problem, active: Int32Array, tolerance: number): Minimum {
  const { u, amount, source, laplacian, scratch } = problem
  const { gradient, learned } = scratch
  narrowTo(problem, active)
  for (let s = 0; s < active.length; s++) learned[active[s]!] = 0
  let g = respond(problem, active)
  let iterations = 0
  let isTaught = true
  let hasLearned = false
  let length = 1
  for (; iterations < MAX_ITERATIONS; iterations++) {
    remember(problem, active)
    imbalance(problem, active, gradient)
    const enough = tolerance * scaleOf(problem)
    const least = 1e-12 * amount * problem.ν[source]!
    if (iterations === TAUGHT) {
      isTaught = false
      learned.fill(0)
    }
    const lessons = isTaught ? LESSONS : 0
    const isStiffened = lessons > 0 && hasLearned && recall(problem, active)
    let first = aim(problem, active, least)
    if (isStiffened && !(-first.slope > enough)) {
      // Stiffened by lessons a step promises less than there is: rest only without them.
      learned.fill(0)
      respondAt(problem, active)
      first = aim(problem, active, least)
    }
    // Not a number: for dust the matrix is singular to floats, and the prices stay where they are.
    if (!(-first.slope > enough)) break
    let next: Walked | undefined
    for (let lesson = 0; lesson < lessons; lesson++) {
      const { slope, largest } = lesson === 0 ? first : aim(problem, active, least)
      next = walk(problem, active, { slope, largest, g, length: 1, tries: 1 })
      if (next !== undefined) break
      learn(problem, active)
      hasLearned = true
    }
    if (next === undefined) {
      const { slope, largest } = aim(problem, active, least)
      const way = { slope, largest, g, length: LENGTHENED * length }
      next = walk(problem, active, { ...way, tries: HALVINGS })
    }
    if (next === undefined) {
      u.set(scratch.startU)
      g = respond(problem, active)
      // No shorter step helps either. Without lessons, this is as far as floats go.
      if (!isTaught) break
      isTaught = false
      learned.fill(0)
      continue
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

/** Notes where a step starts from. */
function remember({ u, ν, x, all, scratch }: Problem, active: Int32Array): void {
  scratch.startU.set(u)
  scratch.startν.set(ν)
  if (active === all) scratch.startX.set(x)
  else for (let s = 0; s < active.length; s++) scratch.startX[active[s]!] = x[active[s]!]!
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
  imbalance(problem, active, gradient)
  let most = largestOf(gradient, laplacian)
  for (let n = 0; n < BALANCINGS && most > tolerance * scaleOf(problem); n++) {
    startU.set(u)
    const { largest } = aim(problem, active, 1e-12 * amount * ν[source]!)
    move(problem, Math.min(1, MAX_STEP / largest))
    respondAt(problem, active)
    imbalance(problem, active, gradient)
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
  let slope = 0
  let largest = 0
  for (let i = 0; i < size; i++) {
    slope += gradient[token[i]!]! * step[i]!
    largest = Math.max(largest, Math.abs(step[i]!))
  }
  return { slope, largest }
}

type Walk = {
  readonly slope: number
  readonly largest: number
  readonly g: number
  /** The part of the step to try first. */
  readonly length: number
  readonly tries: number
}

/** Where a step led, and what part of it was taken. */
type Walked = { readonly g: number; readonly length: number }

/** Takes the step, or a half of it up to so many times; `undefined` if g falls too little. */
function walk(problem: Problem, active: Int32Array, way: Walk): Walked | undefined {
  let t = Math.min(1, way.length, MAX_STEP / way.largest)
  for (let n = 0; n < way.tries; n++) {
    move(problem, t)
    const g = respondAt(problem, active)
    if (g <= way.g + ARMIJO * t * way.slope) return { g, length: t }
    t /= 2
  }
  return undefined
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

/** Stiffens the conductances by what is left of the lessons; whether there is anything. */
function recall({ c, scratch, trading }: Problem, active: Int32Array): boolean {
  const { learned } = scratch
  let isAny = false
  for (let s = 0; s < active.length; s++) {
    const i = active[s]!
    learned[i]! *= FADE
    if (!(learned[i]! > c[i]!)) continue
    c[i] = learned[i]!
    isAny = true
  }
  if (isAny) trading.isStale = true
  return isAny
}

/** Replaces the conductances by what the flows truly changed by since the step's start. */
function learn({ from, to, u, x, c, scratch, trading }: Problem, active: Int32Array): void {
  const { startU, startν, startX, learned } = scratch
  trading.isStale = true
  for (let s = 0; s < active.length; s++) {
    const i = active[s]!
    const a = from[i]!
    const b = to[i]!
    const move = u[b]! - startU[b]! - (u[a]! - startU[a]!)
    if (Math.abs(move) < LEAST_MOVE) continue
    const chord = (startν[a]! * (x[i]! - startX[i]!)) / move
    learned[i] = Math.max(learned[i]! * FADE, chord, 0)
    c[i] = learned[i]!
  }
}

// Below this a change of log prices is rounding.
const LEAST_MOVE = 1e-9

/** Gradient of g: the value of what each token has left over. */
function imbalance(problem: Problem, active: Int32Array, gradient: Float64Array): void {
  const { from, to, x, y, ν, source, amount } = problem
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
  const { matrix, token, size } = laplacian
  matrix.fill(0, 0, size * size)
  for (let i = 0; i < size; i++) {
    matrix[i * size + i] = Math.abs(scratch.gradient[token[i]!]!) + least
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
