import { expect, it } from 'vitest'
import { limitOf, type Pieces } from '../../math/pieces.js'
import { cutTo, setCuts, uncutAll } from './tickCuts.js'

const curve: Pieces = {
  γ: 1,
  startIn: Float64Array.of(0, 10, 30),
  startOut: Float64Array.of(0, 8, 18),
  price: Float64Array.of(1, 0.7),
  reserveIn: Float64Array.of(40, 50),
}
const problem = () =>
  ({ whole: [curve, curve], pieces: [curve, curve] }) as unknown as Parameters<typeof cutTo>[0]

/** Whether an edge may use less than its whole curve. */
const isCut = ({ pieces, whole }: ReturnType<typeof problem>, i: number) => pieces[i] !== whole[i]

it('cuts one edge at the end of a piece, and a cut at the last piece is none', () => {
  const cut = problem()
  cutTo(cut, 0, 1)
  cutTo(cut, 1, 2)
  expect([isCut(cut, 0), isCut(cut, 1)]).toEqual([true, false])
  expect(limitOf(cut.pieces[0]!)).toBe(10)
  uncutAll(cut)
  expect(isCut(cut, 0)).toBe(false)
})

it('restores the cuts of some edges, and lets all others use their whole curves', () => {
  const cut = problem()
  cutTo(cut, 0, 1)
  const cuts = [cut.pieces[0]!]
  uncutAll(cut)
  cutTo(cut, 1, 1)
  setCuts(cut, Int32Array.of(0), cuts)
  expect([isCut(cut, 0), isCut(cut, 1)]).toEqual([true, false])
})
