import { expect, it } from 'vitest'
import { limitOf, outOf, type Pieces } from '../../math/pieces.js'
import { tradesByPiece } from './usableEdges.js'

it('tells pieces apart that are narrower than the distance of two floats', () => {
  const pieces: Pieces = {
    γ: 1,
    startIn: Float64Array.of(0, 4e28, 4e28, 4e28),
    startOut: Float64Array.of(0, 1e23, 2e23, 3e23),
    price: Float64Array.of(1e-5, 1e-6, 1e-7),
    reserveIn: Float64Array.of(1e29, 1e29, 1e29),
  }
  const trades = tradesByPiece({ out: (x) => outOf(pieces, x), pieces }, limitOf(pieces))
  expect(trades).toEqual([
    { x: 4e28, y: 1e23 },
    { x: 4e28, y: 2e23 },
    { x: 4e28, y: 3e23 },
  ])
})
