import { expect, it } from 'vitest'
import { directOnly, freeTerms } from '../../testing/problem.js'
import { additions } from './columnMoves.js'

it('offers the pair as one move, and none whose gas costs more than it gains', () => {
  const { problem, dualPrices, first } = directOnly()
  const searchAt = (gasCost: number) => ({
    ...{ problem, prices: dualPrices, paths: [] },
    terms: { ...freeTerms, gasCost },
  })
  const moves = additions(searchAt(0), first.edges)
  expect(moves[0]!.columns.length).toBe(2)
  expect(moves[0]!.gain).toBeGreaterThan(0)
  expect(additions(searchAt(1e15), first.edges)).toEqual([])
})
