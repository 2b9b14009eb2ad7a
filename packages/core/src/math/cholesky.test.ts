import fc from 'fast-check'
import { expect, it } from 'vitest'
import { solveCholesky } from './cholesky.js'

it('solves systems with a positive definite matrix', () => {
  const anyRow = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
    minLength: 5,
    maxLength: 5,
  })
  fc.assert(
    fc.property(fc.array(anyRow, { minLength: 5, maxLength: 5 }), anyRow, (rows, wanted) => {
      // R·Rᵀ + 1 is positive definite.
      const at = (i: number, j: number) =>
        rows[i]!.reduce((sum, value, k) => sum + value * rows[j]![k]!, i === j ? 1 : 0)
      const matrix = Float64Array.from({ length: 25 }, (_, n) => at(Math.floor(n / 5), n % 5))
      const x = Float64Array.from(rows, (_, i) =>
        wanted.reduce((sum, value, j) => sum + at(i, j) * value, 0),
      )
      solveCholesky(matrix, 5, x)
      for (const [i, value] of wanted.entries()) expect(x[i]).toBeCloseTo(value, 9)
    }),
  )
})

it('moves little along a direction whose digits cancel', () => {
  const x = Float64Array.of(1, 1)
  solveCholesky(Float64Array.of(1, 1, 1, 1), 2, x)
  for (const value of x) expect(Math.abs(value)).toBeLessThanOrEqual(2)
})
