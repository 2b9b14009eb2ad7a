import { expect, it } from 'vitest'
import { outOf } from '../../math/pieces.js'
import { pair } from '../../testing/arbitraryMarkets.js'
import { edgesOf, problemOf } from '../../testing/problem.js'
import type { Candidate } from '../primal/realise.js'
import { better, setPathPrices } from './candidate.js'

it('prefers the higher net, and the second of two equals', () => {
  const worth = (net: number) => ({ realised: { net } }) as Candidate
  const [low, high, same] = [worth(1), worth(2), worth(2)]
  expect(better(low, high)).toBe(high)
  expect(better(high, low)).toBe(high)
  expect(better(same, high)).toBe(high)
  expect(better(undefined, low)).toBe(low)
})

it('sets the prices at which a little more input pays what the path still pays', () => {
  const E18 = 10n ** 18n
  const pools = [pair(0, [1, 2], [90n * E18, 60n * E18]), pair(1, [2, 3], [50n * E18, 70n * E18])]
  const problem = problemOf(pools, [1, 3, 5n * E18])
  const path = Int32Array.of(...edgesOf(problem, 1, 2), ...edgesOf(problem, 2, 3))
  setPathPrices(problem, path)
  const out = (x: number) => path.reduce((amount, i) => outOf(problem.pieces[i]!, amount), x)
  const slope = (out(5e18 * (1 + 1e-6)) - out(5e18)) / (5e18 * 1e-6)
  expect(Math.exp(problem.u[problem.source]!) / slope).toBeCloseTo(1, 5)
})
