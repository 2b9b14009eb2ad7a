import { expect, it } from 'vitest'
import { directOnly, freeCharges } from '../../testing/problem.js'
import { searchLocally } from './localSearch.js'

it('adds a pair of pools through a token not yet passed', () => {
  const { problem, dualPrices, first } = directOnly()
  expect(first.edges.length).toBe(1)
  const found = searchLocally(problem, dualPrices, first, freeCharges)
  expect(found.edges.length).toBe(3)
  expect(found.value).toBeGreaterThan(first.value * 1.05)
})
