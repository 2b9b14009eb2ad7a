import { expect, it } from 'vitest'
import { SHARE_ONE } from '../../replay.js'
import { pair } from '../../testing/arbitraryMarkets.js'
import { edgesOf, problemOf } from '../../testing/problem.js'
import { roundShares } from './roundShares.js'

const E24 = 10n ** 24n
const pools = [0, 1, 2].map((n) => pair(n, [1, 2], [E24, E24]))
const problem = problemOf(pools, [1, 2, 10n ** 21n])
const edges = Int32Array.from(edgesOf(problem, 1, 2))

it('gives shares of what remains, the largest first, and all that is left to the last', () => {
  const flow = new Float64Array(problem.edges.length)
  for (const [n, amount] of [2e20, 5e20, 3e20].entries()) flow[edges[n]!] = amount
  const { hops, edges: hopEdges } = roundShares(problem, edges, flow)
  expect(hops.length).toBe(3)
  expect(hopEdges).toEqual([1, 2, 0].map((n) => edges[n]))
  expect(hops.at(-1)!.share).toBe(0)
  let left = 1e21
  const taken = hops.map(({ share }) => {
    const part = share === 0 ? left : (left * share) / SHARE_ONE
    left -= part
    return part
  })
  expect(left).toBe(0)
  // The pool with most room, here the one with the least flow, takes the rest.
  for (const [n, amount] of [5e20, 3e20, 2e20].entries())
    expect(taken[n]! / amount).toBeCloseTo(1, 5)
})
