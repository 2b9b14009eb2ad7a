import { expect, it } from 'vitest'
import { hopsFrom } from './hopsFrom.js'

it('counts the fewest hops to each token, and knows which are out of reach', () => {
  const [first, next] = [Int32Array.of(0, 2, 3, 4, 4, 5), Int32Array.of(1, 2, 3, 3, 0)]
  expect([...hopsFrom(0, first, next)]).toEqual([0, 1, 1, 2, Number.POSITIVE_INFINITY])
  expect([...hopsFrom(4, first, next)]).toEqual([1, 2, 2, 3, 0])
})
