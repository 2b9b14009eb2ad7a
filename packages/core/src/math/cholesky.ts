/**
 * Cholesky factorisation of a small dense matrix. Input: a symmetric positive definite matrix and a
 * right-hand side. Output: the solution. The Newton steps of the relaxation solve such systems.
 */

/** A pivot below this part of its diagonal has lost its digits. */
const LEAST_PIVOT = 1e-12

/**
 * Solves `matrix · x = x` in place: `matrix`, row by row in its lower triangle, becomes its factor,
 * and `x` the solution. A pivot whose digits cancel is replaced by its diagonal, so that its unknown
 * moves little.
 */
export function solveCholesky(matrix: Float64Array, size: number, x: Float64Array): void {
  for (let i = 0; i < size; i++) {
    const rowI = i * size
    for (let j = 0; j <= i; j++) {
      const rowJ = j * size
      let sum = matrix[rowI + j]!
      for (let k = 0; k < j; k++) sum -= matrix[rowI + k]! * matrix[rowJ + k]!
      if (i > j) matrix[rowI + j] = sum / matrix[rowJ + j]!
      else {
        const own = matrix[rowI + i]!
        matrix[rowI + i] = Math.sqrt(sum > LEAST_PIVOT * own ? sum : own || 1)
      }
    }
  }
  for (let i = 0; i < size; i++) {
    let sum = x[i]!
    for (let k = 0; k < i; k++) sum -= matrix[i * size + k]! * x[k]!
    x[i] = sum / matrix[i * size + i]!
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = x[i]!
    for (let k = i + 1; k < size; k++) sum -= matrix[k * size + i]! * x[k]!
    x[i] = sum / matrix[i * size + i]!
  }
}
