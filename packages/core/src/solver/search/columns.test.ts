import { expect, it } from 'vitest'
import { directOnly, freeTerms } from '../../testing/problem.js'
import { additions, keyOf } from './columns.js'

const piecesOf = (...lengths: number[]) =>
  ({ pieces: lengths.map((length) => ({ price: new Float64Array(length) })) }) as never

it('knows columns again in any order, and tells those that are cut elsewhere apart', () => {
  const key = keyOf(piecesOf(3, 2, 1), Int32Array.of(0, 1))
  expect(keyOf(piecesOf(3, 2, 5), Int32Array.of(1, 0))).toBe(key)
  expect(keyOf(piecesOf(2, 2, 1), Int32Array.of(0, 1))).not.toBe(key)
  expect(keyOf(piecesOf(3, 2, 1), Int32Array.of(0, 1, 2))).not.toBe(key)
})

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
