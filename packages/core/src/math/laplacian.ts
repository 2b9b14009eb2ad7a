/**
 * Sparse LDLᵀ factorisation and selected inverse (Takahashi, Fagan and Chin 1973) of a weighted
 * graph Laplacian. Input: edge conductances and damping. Output: Newton steps and effective
 * resistances. The dual solves this system in each step, and the pruning of edges reads resistances
 * from it.
 */

/**
 * The Newton system of the dual: a weighted graph Laplacian, grounded at the sink, factored as
 * LDLᵀ. Rows are eliminated by rising degree. This causes almost no fill-in on hub-and-leaf graphs,
 * so the matrix is dense and the loops skip its zeros. It is allocated once for all tokens and
 * restricted to the tokens of the active edges.
 */
export type Laplacian = {
  /** All tokens except the sink, in the order of their rows. */
  readonly order: Int32Array
  /** Number of unknowns: the tokens that the system is restricted to. */
  size: number
  /** Row of each token, −1 for the sink and for excluded tokens; and the token of each row. */
  readonly row: Int32Array
  readonly token: Int32Array
  /** Column j begins at j·size; after {@link factor} it has D at j and L below. */
  readonly matrix: Float64Array
  /**
   * The part of each diagonal besides conductances: a lower bound of the pivot if floats cancel.
   */
  readonly damping: Float64Array
  /** Rows of the non-zeros in each column of L: those of column j begin at `firstBelow[j]`. */
  readonly below: Int32Array
  readonly firstBelow: Int32Array
}

/** An empty system over all tokens, rows ordered by `degree` ascending. */
export function makeLaplacian(degree: Int32Array, sink: number): Laplacian {
  const most = degree.length - 1
  const order = Array.from(degree, (_, k) => k)
    .filter((k) => k !== sink)
    .sort((a, b) => degree[a]! - degree[b]! || a - b)
  const laplacian = {
    order: Int32Array.from(order),
    size: 0,
    row: new Int32Array(degree.length),
    token: new Int32Array(most),
    matrix: new Float64Array(most * most),
    damping: new Float64Array(most),
    below: new Int32Array((most * (most - 1)) / 2),
    firstBelow: new Int32Array(most + 1),
  }
  restrict(laplacian, new Uint8Array(degree.length).fill(1))
  return laplacian
}

/**
 * Restricts the system to the touched tokens: no active edge depends on the prices of the others.
 */
export function restrict(laplacian: Laplacian, isTouched: Uint8Array): void {
  const { order, row, token } = laplacian
  row.fill(-1)
  let size = 0
  for (let n = 0; n < order.length; n++) {
    const k = order[n]!
    if (isTouched[k] === 0) continue
    token[size] = k
    row[k] = size++
  }
  laplacian.size = size
}

/** Adds a conductance between two tokens. */
export function addConductance({ size, row, matrix }: Laplacian, a: number, b: number, c: number) {
  const i = row[a]!
  const j = row[b]!
  if (i >= 0) matrix[i * size + i]! += c
  if (j >= 0) matrix[j * size + j]! += c
  if (i >= 0 && j >= 0) matrix[i > j ? j * size + i : i * size + j]! -= c
}

/** Factors the matrix in place as LDLᵀ; every entry of `damping` must be positive. */
export function factor({ size, matrix, damping, below, firstBelow }: Laplacian): void {
  let next = 0
  for (let j = 0; j < size; j++) {
    const column = j * size
    const first = next
    firstBelow[j] = first
    const d = Math.max(matrix[column + j]!, damping[j]!)
    matrix[column + j] = d
    for (let i = j + 1; i < size; i++) if (matrix[column + i] !== 0) below[next++] = i
    for (let t = first; t < next; t++) {
      const k = below[t]!
      const other = k * size
      const value = matrix[column + k]!
      const l = value / d
      for (let s = t; s < next; s++) {
        const i = below[s]!
        matrix[other + i]! -= l * matrix[column + i]!
      }
    }
    for (let t = first; t < next; t++) matrix[column + below[t]!]! /= d
  }
  firstBelow[size] = next
}

/** Solves LDLᵀ·x = b in place; `b` is indexed by row. */
export function solveFactored({ size, matrix, below, firstBelow }: Laplacian, b: Float64Array) {
  for (let j = 0; j < size; j++) {
    const bj = b[j]!
    if (bj === 0) continue
    const column = j * size
    for (let s = firstBelow[j]!; s < firstBelow[j + 1]!; s++) {
      b[below[s]!]! -= matrix[column + below[s]!]! * bj
    }
  }
  for (let j = size - 1; j >= 0; j--) {
    const column = j * size
    let sum = b[j]! / matrix[column + j]!
    for (let s = firstBelow[j]!; s < firstBelow[j + 1]!; s++) {
      sum -= matrix[column + below[s]!]! * b[below[s]!]!
    }
    b[j] = sum
  }
}

/**
 * The entries of the inverse at the non-zeros of L, by Takahashi's recurrence from the last column
 * backwards; the lower triangle by columns. They include every pair of tokens that share an edge.
 */
export function selectedInverse({ size, matrix, below, firstBelow }: Laplacian): Float64Array {
  const inverse = new Float64Array(size * size)
  const at = (i: number, j: number) => inverse[i > j ? j * size + i : i * size + j]!
  for (let j = size - 1; j >= 0; j--) {
    const column = j * size
    for (let s = firstBelow[j + 1]! - 1; s >= firstBelow[j]!; s--) {
      const i = below[s]!
      let sum = 0
      for (let t = firstBelow[j]!; t < firstBelow[j + 1]!; t++) {
        sum -= matrix[column + below[t]!]! * at(i, below[t]!)
      }
      inverse[column + i] = sum
    }
    let diagonal = 1 / matrix[column + j]!
    for (let t = firstBelow[j]!; t < firstBelow[j + 1]!; t++) {
      diagonal -= matrix[column + below[t]!]! * inverse[column + below[t]!]!
    }
    inverse[column + j] = diagonal
  }
  return inverse
}

/** Effective resistance between two tokens: the potential drop that one unit of flow causes. */
export function resistance(
  { size, row }: Laplacian,
  inverse: Float64Array,
  a: number,
  b: number,
): number {
  const i = row[a]!
  const j = row[b]!
  const diagonal = (k: number) => (k < 0 ? 0 : inverse[k * size + k]!)
  const cross = i < 0 || j < 0 ? 0 : inverse[i > j ? j * size + i : i * size + j]!
  return diagonal(i) + diagonal(j) - 2 * cross
}
