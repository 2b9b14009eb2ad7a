import fc from 'fast-check'
import { expect, it } from 'vitest'
import { enteredAt, lowestPrice } from './intervals.js'

const anyIntervals = fc
  .record({
    length: fc.double({ min: 1e-4, max: 5, noNaN: true }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ length, part }) => ({ gas: 5_000, length, passed: part * length }))
const anyPrice = fc.double({ min: 1e-9, max: 1e9, noNaN: true })

it('enters no interval before the first ends, and one more for every length of it', () => {
  fc.assert(
    fc.property(anyIntervals, anyPrice, fc.integer({ min: 0, max: 50 }), (intervals, first, n) => {
      const { length, passed } = intervals
      const at = (fall: number) => enteredAt(intervals, first, first * Math.exp(-fall))
      // A thousandth of an interval on either side of its start.
      expect(at((n + 1.001) * length - passed)).toBe(n + 1)
      if (n + 0.999 > passed / length) expect(at((n + 0.999) * length - passed)).toBe(n)
    }),
  )
})

it('finds the lowest price that enters so many intervals', () => {
  fc.assert(
    fc.property(anyIntervals, anyPrice, fc.integer({ min: 1, max: 50 }), (intervals, first, n) => {
      const price = lowestPrice(intervals, first, n)
      expect(enteredAt(intervals, first, price)).toBe(n)
      expect(enteredAt(intervals, first, price * Math.exp(-1e-3 * n * intervals.length))).toBe(
        n + 1,
      )
    }),
  )
})
