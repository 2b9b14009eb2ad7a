import { expect, it } from 'vitest'
import { pair } from '../../testing/arbitraryMarkets.js'
import { edgesOf, problemOf } from '../../testing/problem.js'
import { cascadesOf } from './support.js'

const DEEP = [10n ** 24n, 10n ** 24n] as const
// 1 → 2 → 3 → 4 in line, and 1 → 3 beside it.
const problem = problemOf(
  [pair(0, [1, 2], DEEP), pair(1, [2, 3], DEEP), pair(2, [3, 4], DEEP), pair(3, [1, 3], DEEP)],
  [1, 4, 10n ** 18n],
)
const edge = (from: number, to: number) => edgesOf(problem, from, to)[0]!
const [a, b, c, d] = [edge(1, 2), edge(2, 3), edge(3, 4), edge(1, 3)]

it('counts the legs that go with an edge', () => {
  const edges = Int32Array.of(a, b, c, d)
  const cascadeOf = cascadesOf(problem, edges)
  expect(cascadeOf(a).legs).toBe(2)
  expect(cascadeOf(d).legs).toBe(1)
  expect(cascadeOf(c).legs).toBeGreaterThan(2)
})
