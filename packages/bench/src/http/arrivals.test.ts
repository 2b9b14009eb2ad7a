import { expect, it } from 'vitest'
import { percentile } from '../stats.js'
import { evenArrivals, poissonArrivals, queueTimes } from './arrivals.js'

it('a queue lets a request wait for those before it, and for nothing else', () => {
  expect(queueTimes([0, 1, 2, 20], [5, 5, 5, 5])).toEqual([5, 9, 13, 5])
})

it('several servers take from one queue', () => {
  expect(queueTimes([0, 1, 2, 20], [5, 5, 5, 5], 2)).toEqual([5, 5, 8, 5])
})

it('random arrivals before one server spread by a factor above 4, though all take equally long', () => {
  const perSecond = 100
  const arrivals = poissonArrivals({ perSecond, seconds: 300, seed: 1 })
  const spread = (servers: number) => {
    const faster = arrivals.map((at) => at / servers)
    const times = queueTimes(faster, new Array(arrivals.length).fill(500 / perSecond), servers)
    return percentile(times, 0.99) / percentile(times, 0.5)
  }
  expect(spread(1)).toBeGreaterThan(4)
  expect(spread(2)).toBeLessThan(2.8)
  expect(spread(4)).toBeLessThan(2)
})

it('even arrivals come at their rate, each after the same time', () => {
  const arrivals = evenArrivals({ perSecond: 40, seconds: 2 })
  expect(arrivals.length).toBe(80)
  expect([arrivals[0], arrivals[39], arrivals[79]]).toEqual([25, 1_000, 2_000])
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
