import { expect, it } from 'vitest'
import { outOf } from '../../math/pieces.js'
import { ROUTER_GAS } from '../../replay.js'
import { pair } from '../../testing/arbitraryMarkets.js'
import { requestFor } from '../../testing/problem.js'
import type { Options } from '../options.js'
import { relaxOrder } from './relaxation.js'

const E18 = 10n ** 18n
const deep = (units: bigint) => [units * E18, units * E18] as const
const pools = [
  pair(0, [1, 2], deep(100n)),
  pair(1, [1, 3], deep(300n)),
  pair(2, [3, 2], deep(80n)),
  pair(3, [2, 4], deep(80n)),
]

const relaxed = (to: number, options?: Options) => {
  return relaxOrder(requestFor(pools, [1, to, E18], options))
}

it('contains the edges that a route can use, with their curves', () => {
  const relaxation = relaxed(2)!
  expect(relaxation.edges.length).toBe(3)
  expect(relaxation.amount).toBe(1e18)
  for (const i of relaxation.edges.keys()) {
    const { pieces, gas } = relaxation.columnEdge(i)
    expect(gas).toBe(relaxation.gas[i])
    expect(outOf(pieces, 1e9) / (1e9 * relaxation.spot[i]!)).toBeCloseTo(1, 6)
  }
})

it('counts the hops that the gas cap has room for', () => {
  const leastGas = Math.min(...relaxed(2)!.gas)
  expect(relaxed(2)!.legs).toBe(24)
  expect(relaxed(2, { maxGas: ROUTER_GAS + 2.5 * leastGas })!.legs).toBe(2)
  expect(relaxed(2, { maxGas: ROUTER_GAS })!.legs).toBe(1)
})

it('is undefined if the tokens are not connected', () => {
  expect(relaxed(5)).toBeUndefined()
})
