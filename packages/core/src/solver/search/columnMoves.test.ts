import { expect, it } from 'vitest'
import { directOnly } from '../../testing/problem.js'
import { additions } from './columnMoves.js'

it('offers the pair as one move, and none whose gas costs more than it gains', () => {
  const { problem, dualPrices, first } = directOnly()
  const moves = additions(problem, dualPrices, first.edges, { paths: [], gasCost: 0 })
  expect(moves[0]!.columns.length).toBe(2)
  expect(moves[0]!.gain).toBeGreaterThan(0)
  expect(additions(problem, dualPrices, first.edges, { paths: [], gasCost: 1e15 })).toEqual([])
})
