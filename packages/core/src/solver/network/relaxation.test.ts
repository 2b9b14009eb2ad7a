import { expect, it } from 'vitest'
import { ROUTER_GAS } from '../../replay.js'
import { pair } from '../../testing/arbitraryMarkets.js'
import { requestFor } from '../../testing/problem.js'
import type { Options } from '../terms.js'
import { relaxOrder } from './subgraph.js'

const E18 = 10n ** 18n
const deep = (units: bigint) => [units * E18, units * E18] as const
const threeWays = [
  pair(0, [1, 2], deep(100n)),
  pair(1, [1, 3], deep(300n)),
  pair(2, [3, 2], deep(80n)),
  pair(3, [2, 4], deep(80n)),
]

const relaxed = (to: number, options?: Options) => {
  return relaxOrder(requestFor(threeWays, [1, to, E18], options))
}

it('contains the edges that a route can use', () => {
  const relaxation = relaxed(2)!
  expect(relaxation.edges.length).toBe(3)
  expect(relaxation.amount).toBe(1e18)
  expect(
    [...relaxation.edges].map((e) => relaxation.graph.pools[relaxation.graph.poolOf[e]!]),
  ).toEqual(threeWays.slice(0, 3).map(({ id }) => id))
})

it('counts the hops that the gas cap has room for', () => {
  const leastGas = Math.min(...relaxed(2)!.graph.gas)
  expect(relaxed(2)!.legs).toBe(24)
  expect(relaxed(2, { maxGas: ROUTER_GAS + 2.5 * leastGas })!.legs).toBe(2)
  expect(relaxed(2, { maxGas: ROUTER_GAS })!.legs).toBe(1)
})

it('is undefined if the tokens are not connected', () => {
  expect(relaxed(5)).toBeUndefined()
})

it('knows which edges are on walks of so few hops', () => {
  const { graph, edges, isWithin } = relaxed(2, { maxLegs: 1 })!
  const within = [...edges].filter((_, i) => isWithin[i])
  expect(within.map((e) => graph.pools[graph.poolOf[e]!])).toEqual([threeWays[0]!.id])
  expect([...relaxed(2)!.isWithin]).toEqual([1, 1, 1])
})

it('lists the edges that leave each token', () => {
  const { first, from } = relaxed(2)!
  for (const [i, k] of from.entries()) {
    expect(i).toBeGreaterThanOrEqual(first[k]!)
    expect(i).toBeLessThan(first[k + 1]!)
  }
})

it('lists the edges from source to sink', () => {
  expect(relaxed(2)!.direct).toEqual([0])
  expect(relaxed(4)!.direct).toEqual([])
})
