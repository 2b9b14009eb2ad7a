import { expect, it } from 'vitest'
import { poissonArrivals, queueTimes } from './arrivals.js'

it('a queue lets a request wait for those before it, and for nothing else', () => {
  expect(queueTimes([0, 1, 2, 20], [5, 5, 5, 5])).toEqual([5, 9, 13, 5])
})

it('random arrivals come at their rate, with the spread of a Poisson process', () => {
  const arrivals = poissonArrivals({ perSecond: 100, seconds: 100, seed: 1 })
  expect(arrivals.length).toBeGreaterThan(9_700)
  expect(arrivals.length).toBeLessThan(10_300)
  const gaps = arrivals.map((at, i) => at - (arrivals[i - 1] ?? 0))
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length
  expect(Math.sqrt(variance) / mean).toBeCloseTo(1, 1)
  expect(Math.min(...gaps)).toBeGreaterThan(0)
})
