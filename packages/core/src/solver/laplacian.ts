/**
 * The Newton system of the dual: a weighted graph Laplacian, grounded at the sink, factored as
 * LDLᵀ. Rows are eliminated by rising degree: on hub-and-leaf graphs that fills almost nothing, so
 * zeros are skipped instead of stored sparsely.
 */
export type Laplacian = {
  /** Unknowns: tokens without the sink. */
  readonly size: number
  /** Row of each token, −1 for the sink. */
  readonly row: Int32Array
  /** Row-major size × size; after {@link factor} L below the diagonal and D on it. */
  readonly matrix: Float64Array
  /** Rows with a non-zero in each column of L, as runs of one array. */
  readonly below: Int32Array
  readonly firstBelow: Int32Array
}

/** An empty system over `tokens` tokens, rows ordered by `degree` ascending. */
export function makeLaplacian(degree: Int32Array, sink: number): Laplacian {
  const size = degree.length - 1
  const order = Array.from(degree, (_, k) => k)
    .filter((k) => k !== sink)
    .sort((a, b) => degree[a]! - degree[b]! || a - b)
  const row = new Int32Array(degree.length).fill(-1)
  for (const [i, k] of order.entries()) row[k] = i
  return {
    size,
    row,
    matrix: new Float64Array(size * size),
    below: new Int32Array((size * (size - 1)) / 2),
    firstBelow: new Int32Array(size + 1),
  }
}

/** Adds a conductance between two tokens. */
export function addConductance({ size, row, matrix }: Laplacian, a: number, b: number, c: number) {
  const i = row[a]!
  const j = row[b]!
  if (i >= 0) matrix[i * size + i]! += c
  if (j >= 0) matrix[j * size + j]! += c
  if (i >= 0 && j >= 0) matrix[i > j ? i * size + j : j * size + i]! -= c
}

/** Factors in place; every diagonal must be positive. */
export function factor({ size, matrix, below, firstBelow }: Laplacian): void {
  let next = 0
  for (let j = 0; j < size; j++) {
    firstBelow[j] = next
    const d = matrix[j * size + j]!
    for (let i = j + 1; i < size; i++) if (matrix[i * size + j] !== 0) below[next++] = i
    for (let s = firstBelow[j]!; s < next; s++) {
      const i = below[s]!
      const l = matrix[i * size + j]! / d
      for (let t = firstBelow[j]!; t <= s; t++) {
        const k = below[t]!
        // Row k of this column still holds l_k·d.
        const lk = t === s ? l * d : matrix[k * size + j]! * d
        matrix[i * size + k]! -= l * lk
      }
      matrix[i * size + j] = l
    }
  }
  firstBelow[size] = next
}

/** Solves LDLᵀ·x = b in place over rows. */
export function solveFactored({ size, matrix, below, firstBelow }: Laplacian, b: Float64Array) {
  for (let j = 0; j < size; j++) {
    const bj = b[j]!
    if (bj === 0) continue
    for (let s = firstBelow[j]!; s < firstBelow[j + 1]!; s++) {
      b[below[s]!]! -= matrix[below[s]! * size + j]! * bj
    }
  }
  for (let j = size - 1; j >= 0; j--) {
    let sum = b[j]! / matrix[j * size + j]!
    for (let s = firstBelow[j]!; s < firstBelow[j + 1]!; s++) {
      sum -= matrix[below[s]! * size + j]! * b[below[s]!]!
    }
    b[j] = sum
  }
}

/**
 * The entries of the inverse that stand where L has non-zeros, which is wherever two tokens share
 * an edge; row-major, lower triangle. Takahashi's recurrence, from the last column backwards.
 */
export function selectedInverse({ size, matrix, below, firstBelow }: Laplacian): Float64Array {
  const inverse = new Float64Array(size * size)
  const at = (i: number, j: number) => inverse[i > j ? i * size + j : j * size + i]!
  for (let j = size - 1; j >= 0; j--) {
    for (let s = firstBelow[j + 1]! - 1; s >= firstBelow[j]!; s--) {
      const i = below[s]!
      let sum = 0
      for (let t = firstBelow[j]!; t < firstBelow[j + 1]!; t++) {
        sum -= matrix[below[t]! * size + j]! * at(i, below[t]!)
      }
      inverse[i * size + j] = sum
    }
    let diagonal = 1 / matrix[j * size + j]!
    for (let t = firstBelow[j]!; t < firstBelow[j + 1]!; t++) {
      diagonal -= matrix[below[t]! * size + j]! * inverse[below[t]! * size + j]!
    }
    inverse[j * size + j] = diagonal
  }
  return inverse
}

/** Effective resistance between two tokens: the drop that one unit of flow causes. */
export function resistance(
  { size, row }: Laplacian,
  inverse: Float64Array,
  a: number,
  b: number,
): number {
  const i = row[a]!
  const j = row[b]!
  const diagonal = (k: number) => (k < 0 ? 0 : inverse[k * size + k]!)
  const cross = i < 0 || j < 0 ? 0 : inverse[i > j ? i * size + j : j * size + i]!
  return diagonal(i) + diagonal(j) - 2 * cross
}
