import { expect, it } from 'vitest'
import { keyOf } from './columns.js'

const piecesOf = (...lengths: number[]) =>
  ({ pieces: lengths.map((length) => ({ price: new Float64Array(length) })) }) as never

it('knows columns again in any order, and tells those that are cut elsewhere apart', () => {
  const key = keyOf(piecesOf(3, 2, 1), Int32Array.of(0, 1))
  expect(keyOf(piecesOf(3, 2, 5), Int32Array.of(1, 0))).toBe(key)
  expect(keyOf(piecesOf(2, 2, 1), Int32Array.of(0, 1))).not.toBe(key)
  expect(keyOf(piecesOf(3, 2, 1), Int32Array.of(0, 1, 2))).not.toBe(key)
})
