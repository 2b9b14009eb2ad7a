import { expect, it } from 'vitest'
import { ROUTER_GAS } from '../../replay.js'
import { pair } from '../../testing/arbitraryMarkets.js'
import { requestFor } from '../../testing/problem.js'
import type { Point } from '../dual/arbitrage.js'
import { relaxOrder } from '../network/subgraph.js'
import { minimiseSmoothed } from './minimiseSmoothed.js'
import { boundOverPaths } from './simplePaths.js'

const E18 = 10n ** 18n
const deep = (units: bigint) => [units * E18, units * E18] as const
const pools = [pair(0, [1, 2], deep(100n)), pair(1, [1, 3], deep(300n)), pair(2, [3, 2], deep(80n))]
// All three hops may be used: only their gas is limited.
const relaxed = (maxGas: number) => {
  return { ...relaxOrder(requestFor(pools, [1, 2, 30n * E18], { maxGas }))!, legs: 3 }
}
const boundAt = (relaxation: ReturnType<typeof relaxed>, u: Float64Array, above: number) => {
  const none = new Uint8Array(relaxation.edges.length)
  return Number(boundOverPaths(relaxation, { u, gasMultiplier: above }, none).amount)
}

it('finds the minimum of the bound if the block has room', () => {
  const relaxation = relaxed(3e7)
  const start = new Float64Array(relaxation.tokens.length)
  const δ = 1e-6 * boundAt(relaxation, start, 0)
  const { u } = minimiseSmoothed(relaxation, { u: start, gasMultiplier: 0 }, δ)
  const least = boundAt(relaxation, u, 0)
  for (const k of u.keys()) {
    if (k === relaxation.sink) continue
    for (const shift of [-0.01, 0.01]) {
      const moved = u.map((one, j) => (j === k ? one + shift : one))
      expect(boundAt(relaxation, moved, 0)).toBeGreaterThan(least)
    }
  }
})

it('raises the multiplier of gas if the block has room for one hop only', () => {
  const leastGas = Math.min(...relaxed(3e7).graph.gas)
  const relaxation = relaxed(ROUTER_GAS + 1.5 * leastGas)
  const start = new Float64Array(relaxation.tokens.length)
  const unlimited = minimiseSmoothed(relaxation, { u: start, gasMultiplier: 0 }, 1e15)
  let point: Point = { u: start, gasMultiplier: 1e10 }
  for (const δ of [1e18, 1e17, 1e16, 1e15]) point = minimiseSmoothed(relaxation, point, δ)
  expect(point.gasMultiplier).toBeGreaterThan(1e11)
  expect(boundAt(relaxation, point.u, point.gasMultiplier)).toBeLessThan(
    boundAt(relaxation, unlimited.u, 0),
  )
})
