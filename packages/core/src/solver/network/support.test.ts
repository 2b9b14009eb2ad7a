import { expect, it } from 'vitest'
import { pair } from '../../testing/arbitraryMarkets.js'
import { edgesOf, problemOf } from '../../testing/problem.js'
import { cascadeOf, findCycle, findLongPath, removeDeadEnds, supportOf } from './support.js'

const DEEP = [10n ** 24n, 10n ** 24n] as const
// 1 → 2 → 3 → 4 in line, and 1 → 3 beside it; 2 and 3 trade both ways.
const problem = problemOf(
  [pair(0, [1, 2], DEEP), pair(1, [2, 3], DEEP), pair(2, [3, 4], DEEP), pair(3, [1, 3], DEEP)],
  [1, 4, 10n ** 18n],
)
const edge = (from: number, to: number) => edgesOf(problem, from, to)[0]!
const [a, b, back, c, d] = [edge(1, 2), edge(2, 3), edge(3, 2), edge(3, 4), edge(1, 3)]

it('drops edges that lead nowhere, and those that only they fed', () => {
  expect([...removeDeadEnds(problem, Int32Array.of(a, b, d))]).toEqual([])
  expect([...removeDeadEnds(problem, Int32Array.of(a, c, d))].sort()).toEqual([c, d].sort())
})

it('counts the legs that go with an edge', () => {
  const support = supportOf(problem, Int32Array.of(a, b, c, d))
  expect(cascadeOf(problem, support, a).legs).toBe(2)
  expect(cascadeOf(problem, support, d).legs).toBe(1)
  expect(cascadeOf(problem, support, c).legs).toBeGreaterThan(2)
})

it('finds a cycle and the path that is too long, and neither where there is none', () => {
  expect(findCycle(problem, Int32Array.of(a, b, c, d))).toBeUndefined()
  expect(findCycle(problem, Int32Array.of(a, b, back, c))!.toSorted()).toEqual([b, back].sort())
  expect(findLongPath(problem, Int32Array.of(a, b, c, d), 3)).toBeUndefined()
  expect(findLongPath(problem, Int32Array.of(a, b, c, d), 2)).toEqual([a, b, c])
})
