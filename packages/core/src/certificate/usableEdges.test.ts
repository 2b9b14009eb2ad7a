import { expect, it } from 'vitest'
import { inputAtOf, limitOf, outOf, type Pieces, priceOf } from '../math/pieces.js'
import { tradesOf } from './usableEdges.js'

const pieces: Pieces = {
  γ: 1,
  startIn: Float64Array.of(0, 4e28, 4e28, 4e28),
  startOut: Float64Array.of(0, 1e23, 2e23, 3e23),
  price: Float64Array.of(1e-5, 1e-6, 1e-7),
  reserveIn: Float64Array.of(1e29, 1e29, 1e29),
}
const edgeOf = (of: Pieces) => ({
  curve: {
    out: (x: number) => outOf(of, x),
    price: (x: number) => priceOf(of, x),
    inputAt: (price: number) => inputAtOf(of, price),
    limit: limitOf(of),
    pieces: of,
  },
  stepGas: 22_000,
})

it('tells pieces apart that are narrower than the distance of two floats', () => {
  expect(tradesOf(edgeOf(pieces), 1e-8)).toEqual([
    { x: 4e28, y: 1e23 },
    { x: 4e28, y: 2e23 },
    { x: 4e28, y: 3e23 },
  ])
})

it('leaves out pieces whose price is not above the ratio', () => {
  expect(tradesOf(edgeOf(pieces), 1e-6)).toEqual([{ x: 4e28, y: 1e23 }])
  expect(tradesOf(edgeOf(pieces), 1e-5)).toEqual([{ x: 0, y: 0 }])
})

it('counts what a pool pays whose curve ends at zero, because it ends some wei before the pool', () => {
  const dust = { ...pieces, startIn: Float64Array.of(0, 0, 0, 0) }
  const trades = tradesOf(edgeOf(dust), 1e-8)
  expect(trades.map(({ y }) => y)).toEqual([1e23, 2e23, 3e23])
})
