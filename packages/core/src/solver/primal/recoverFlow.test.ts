import { expect, it } from 'vitest'
import { limitOf, outOf } from '../../math/pieces.js'
import { pair } from '../../testing/arbitraryMarkets.js'
import { edgesOf, problemOf } from '../../testing/problem.js'
import { solveArbitrage } from '../dual/arbitrage.js'
import { minimiseDual } from '../dual/newton.js'
import type { Problem } from '../network/problem.js'
import { recoverFlow } from './recoverFlow.js'

const E18 = 10n ** 18n
const deep = (units: bigint) => [units * E18, units * E18] as const
const pools = [pair(0, [1, 2], deep(90n)), pair(1, [2, 3], deep(50n)), pair(2, [1, 3], deep(20n))]

/** The edges of the first token to the second, from there on, and past it. */
function threeEdges(problem: Problem): readonly [number, number, number] {
  return [edgesOf(problem, 1, 2)[0]!, edgesOf(problem, 2, 3)[0]!, edgesOf(problem, 1, 3)[0]!]
}

it('places the whole amount and passes on exactly what each token receives', () => {
  const problem = problemOf(pools, [1, 3, 25n * E18])
  minimiseDual(problem, problem.all)
  // A little off the minimum, where the flows of the dual do not balance.
  problem.u[problem.source]! += 1e-3
  solveArbitrage(problem, problem.all)
  const [into, on, direct] = threeEdges(problem)
  const { flow, amountOut } = recoverFlow(problem, Int32Array.of(into, on, direct))!
  const outputOf = (i: number) => outOf(problem.pieces[i]!, flow[i]!)
  expect((flow[into]! + flow[direct]!) / 25e18).toBeCloseTo(1, 12)
  expect(flow[on]! / outputOf(into)).toBeCloseTo(1, 12)
  const out = outputOf(on) + outputOf(direct)
  expect(amountOut / out).toBeCloseTo(1, 12)
})

it('sends a token no more than it can pass on, and the rest another way', () => {
  const problem = problemOf(pools, [1, 3, 25n * E18])
  minimiseDual(problem, problem.all)
  const [into, on, direct] = threeEdges(problem)
  const before = problem.x[on]!
  problem.pieces[on] = { ...problem.pieces[on]!, startIn: Float64Array.of(0, before / 2) }
  const { flow } = recoverFlow(problem, Int32Array.of(into, on, direct))!
  expect(flow[on]! / (before / 2)).toBeCloseTo(1, 5)
  expect(flow[on]).toBeLessThan(before / 2)
  expect(outOf(problem.pieces[into]!, flow[into]!) / flow[on]!).toBeCloseTo(1, 12)
  expect((flow[into]! + flow[direct]!) / 25e18).toBeCloseTo(1, 12)
})

it('drains a small pool where a full one ahead leaves no room for the flows of the dual', () => {
  const small = pair(3, [1, 2], deep(1n))
  const problem = problemOf([small, ...pools], [1, 3, 1000n * E18])
  const into = edgesOf(problem, 1, 2)
  const [on] = edgesOf(problem, 2, 3)
  problem.pieces[on!] = { ...problem.pieces[on!]!, startIn: Float64Array.of(0, 10e18) }
  for (const edges of [into, into.toReversed()]) {
    const used = Int32Array.of(...edges, on!)
    minimiseDual(problem, used)
    const { flow } = recoverFlow(problem, used)!
    expect((flow[into[0]!]! + flow[into[1]!]!) / 1000e18).toBeCloseTo(1, 12)
    // Of the small pool's unit all is allotted, and what it does not pay is room for the other.
    expect(flow[on!]! / 10e18).toBeGreaterThan(1 - 2e-6)
    expect(flow[on!]).toBeLessThan(10e18)
  }
})

it('leaves the flow as it is where room is left but the edges into it took less than they may', () => {
  const problem = problemOf(pools, [1, 3, 25n * E18])
  minimiseDual(problem, problem.all)
  const used = Int32Array.from(threeEdges(problem))
  const { flow } = recoverFlow(problem, used)!
  for (const i of used) expect(flow[i]! / problem.x[i]!).toBeCloseTo(1, 5)
})

it('is undefined if the edges cannot take the amount', () => {
  const problem = problemOf(pools, [1, 3, 25n * E18])
  minimiseDual(problem, problem.all)
  const [direct] = edgesOf(problem, 1, 3)
  problem.pieces[direct!] = { ...problem.pieces[direct!]!, startIn: Float64Array.of(0, 1e18) }
  expect(limitOf(problem.pieces[direct!]!)).toBe(1e18)
  expect(recoverFlow(problem, Int32Array.of(direct!))).toBeUndefined()
})
