import fc from 'fast-check'
import { expect, it } from 'vitest'
import { rootBetween } from './rootBetween.js'

it('finds the root of a line exactly', () => {
  expect(rootBetween([-3, 5], 6, 0, (u) => 2 * u - 1)).toBeCloseTo(0.5, 12)
})

it('leaves less than a tenth of the bracket around the root of a curve, and stays inside', () => {
  fc.assert(
    fc.property(fc.double({ min: -1, max: 1, noNaN: true }), (root) => {
      const found = rootBetween([-1.5, 1.5], 6, 0, (u) => Math.exp(u) - Math.exp(root))
      expect(found).toBeGreaterThanOrEqual(-1.5)
      expect(found).toBeLessThanOrEqual(1.5)
      expect(Math.abs(found - root)).toBeLessThan(0.3)
    }),
  )
})

it('ends where little of the values at both ends is left', () => {
  fc.assert(
    fc.property(fc.double({ min: -1, max: 1, noNaN: true }), (root) => {
      const valueAt = (u: number) => Math.exp(u) - Math.exp(root)
      const found = rootBetween([-1.5, 1.5], 60, 1e-3, valueAt)
      const least = Math.min(-valueAt(-1.5), valueAt(1.5))
      expect(Math.abs(valueAt(found))).toBeLessThan(1e-3 * least)
    }),
  )
})

it('follows the line through both ends if there is no root between them', () => {
  expect(rootBetween([1, 2], 6, 1e-3, (u) => u)).toBeCloseTo(0, 12)
})
