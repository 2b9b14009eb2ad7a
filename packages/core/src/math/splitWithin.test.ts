import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitWithin } from './splitWithin.js'

const places = [0, 1, 2]

it('moves parts by what they yield, and fixes one at an end for the others to take the rest', () => {
  const value = Float64Array.of(1, 2, 3)
  const most = Float64Array.of(10, 2.5, 10)
  const yields = [1, 1, 2]
  const sum = splitWithin(places, 14, { value, most, yieldOf: (i) => yields[i]! })
  expect(sum).toBeCloseTo(14, 12)
  expect(value[1]).toBe(2.5)
  // 7.5 more over the two others, one to two.
  expect(value[0]).toBeCloseTo(3.5, 12)
  expect(value[2]).toBeCloseTo(8, 12)
})

it('sums to any total that the parts can take, each within its ends', () => {
  const tupleOf = (min: number, max: number) =>
    fc.tuple(...places.map(() => fc.double({ min, max, noNaN: true })))
  const part = fc.double({ min: 0, max: 1, noNaN: true })
  const given = [tupleOf(0, 1), tupleOf(1e-3, 1e6), tupleOf(1e-3, 1e3), part] as const
  fc.assert(
    fc.property(...given, (parts, mosts, yields, of) => {
      const most = Float64Array.from(mosts)
      const value = most.map((one, i) => parts[i]! * one)
      const room = mosts.reduce((a, b) => a + b, 0)
      const sum = splitWithin(places, of * room, { value, most, yieldOf: (i) => yields[i]! })
      expect(Math.abs(sum - of * room)).toBeLessThanOrEqual(1e-9 * room)
      for (const i of places) {
        expect(value[i]).toBeGreaterThanOrEqual(0)
        expect(value[i]).toBeLessThanOrEqual(most[i]!)
      }
    }),
  )
})

it('returns less than the total if the parts cannot take it', () => {
  const value = Float64Array.of(1, 1, 1)
  const most = Float64Array.of(2, 3, 4)
  expect(splitWithin(places, 10, { value, most, yieldOf: () => 1 })).toBe(9)
  expect([...value]).toEqual([2, 3, 4])
})
