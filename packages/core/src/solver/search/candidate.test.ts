import { expect, it } from 'vitest'
import { pair } from '../../testing/arbitraryMarkets.js'
import { edgesOf, problemOf, requestFor } from '../../testing/problem.js'
import { type Candidate, realisePath } from '../primal/realise.js'
import { better, growByPath } from './candidate.js'

it('prefers the higher net, and the second of two equals', () => {
  const worth = (net: number) => ({ realised: { net } }) as Candidate
  const [low, high, same] = [worth(1), worth(2), worth(2)]
  expect(better(low, high)).toBe(high)
  expect(better(high, low)).toBe(high)
  expect(better(same, high)).toBe(high)
  expect(better(undefined, low)).toBe(low)
})

const E18 = 10n ** 18n
const pools = [
  pair(0, [1, 3], [100n * E18, 100n * E18]),
  pair(1, [1, 2], [100n * E18, 100n * E18]),
  pair(2, [2, 3], [100n * E18, 100n * E18]),
]
const sale = [1, 3, 20n * E18] as const

it('splits over an answer and a path beside it, unless the path has too many hops', () => {
  const request = requestFor(pools, sale)
  const problem = problemOf(pools, sale)
  const answer = realisePath(problem, Int32Array.from(edgesOf(problem, 1, 3)), request)!
  const path = Int32Array.of(...edgesOf(problem, 1, 2), ...edgesOf(problem, 2, 3))
  const inGraph = path.map((i) => problem.edges[i]!)
  const grown = growByPath(problem, answer, inGraph, request)!
  expect(grown.edges.length).toBe(3)
  expect(grown.realised.amountOut).toBeGreaterThan(answer.realised.amountOut)
  const short = requestFor(pools, sale, { maxHops: 1 })
  expect(growByPath(problem, answer, inGraph, short)).toBeUndefined()
})
