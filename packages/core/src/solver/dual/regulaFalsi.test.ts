import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rootBetween } from './regulaFalsi.js'

it('finds the root of a line exactly', () => {
  expect(rootBetween(-3, 5, (u) => 2 * u - 1)).toBeCloseTo(0.5, 12)
})

it('leaves less than a tenth of the bracket around the root of a curve, and stays inside', () => {
  fc.assert(
    fc.property(fc.double({ min: -1, max: 1, noNaN: true }), (root) => {
      const found = rootBetween(-1.5, 1.5, (u) => Math.exp(u) - Math.exp(root))
      expect(found).toBeGreaterThanOrEqual(-1.5)
      expect(found).toBeLessThanOrEqual(1.5)
      expect(Math.abs(found - root)).toBeLessThan(0.3)
    }),
  )
})
