import { addConductance, factor, type Laplacian, solveFactored } from './laplacian.js'
import { type Problem, respond } from './problem.js'

const MAX_ITERATIONS = 60
const MAX_STEP = 2
const ARMIJO = 1e-4

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
 */
export function minimise(problem: Problem, active: Int32Array, tolerance: number): Minimum {
  const { u, source, laplacian } = problem
  const gradient = new Float64Array(u.length)
  const step = new Float64Array(laplacian.size)
  const start = new Float64Array(u.length)
  let g = respond(problem, active)
  let iterations = 0
  for (; iterations < MAX_ITERATIONS; iterations++) {
    imbalance(problem, active, gradient)
    assemble(problem, active, gradient, laplacian)
    factor(laplacian)
    for (let k = 0; k < u.length; k++) {
      if (laplacian.row[k]! >= 0) step[laplacian.row[k]!] = -gradient[k]!
    }
    solveFactored(laplacian, step)
    const { slope, largest } = measure(gradient, step, laplacian)
    // Not a number: for dust the matrix is singular to floats, and the prices stay where they are.
    if (!(-slope > tolerance * problem.amount * problem.ν[source]!)) break
    start.set(u)
    let t = Math.min(1, MAX_STEP / largest)
    for (let halvings = 0; ; halvings++) {
      for (let k = 0; k < u.length; k++) {
        const i = laplacian.row[k]!
        u[k] = i < 0 ? 0 : start[k]! + t * step[i]!
      }
      const next = respond(problem, active)
      if (next <= g + ARMIJO * t * slope || halvings === 40) {
        g = next
        break
      }
      t /= 2
    }
  }
  return { bound: g, iterations, laplacian }
}

/** Gradient of g: the value of what each token has left over. */
function imbalance(problem: Problem, active: Int32Array, gradient: Float64Array): void {
  const { from, to, x, y, ν, source, amount } = problem
  gradient.fill(0)
  gradient[source] = amount
  for (let s = 0; s < active.length; s++) {
    const i = active[s]!
    gradient[from[i]!]! -= x[i]!
    gradient[to[i]!]! += y[i]!
  }
  for (let k = 0; k < ν.length; k++) gradient[k]! *= ν[k]!
}

function assemble(
  problem: Problem,
  active: Int32Array,
  gradient: Float64Array,
  laplacian: Laplacian,
): void {
  const { from, to, c, amount, ν, source } = problem
  const { matrix, row, size } = laplacian
  matrix.fill(0)
  const least = 1e-12 * amount * ν[source]!
  for (let k = 0; k < row.length; k++) {
    const i = row[k]!
    if (i >= 0) matrix[i * size + i] = Math.abs(gradient[k]!) + least
  }
  for (let s = 0; s < active.length; s++) {
    const i = active[s]!
    if (c[i]! > 0) addConductance(laplacian, from[i]!, to[i]!, c[i]!)
  }
}

function measure(gradient: Float64Array, step: Float64Array, laplacian: Laplacian) {
  let slope = 0
  let largest = 0
  for (let k = 0; k < gradient.length; k++) {
    const i = laplacian.row[k]!
    if (i < 0) continue
    slope += gradient[k]! * step[i]!
    largest = Math.max(largest, Math.abs(step[i]!))
  }
  return { slope, largest }
}
