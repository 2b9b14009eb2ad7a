import { expect, it } from 'vitest'
import { pair } from '../../testing/arbitraryMarkets.js'
import { requestFor } from '../../testing/problem.js'
import { initialPrices } from '../network/problem.js'
import { selectProblem } from '../network/subgraph.js'
import { minimiseDual } from './newton.js'
import { priceOutside } from './outside.js'

const E18 = 10n ** 18n
const inner = Array.from({ length: 150 }, (_, n) => n + 10)

/** Many tokens between two, deep ones at par, thin ones a tenth below, and one at `ratePpm`. */
function outsideOf(better: number, ratePpm: bigint) {
  const pools = inner.flatMap((n) => {
    const rate = n === better ? ratePpm : n < 115 ? 900_000n : 1_000_000n
    const out = (BigInt(n) * E18 * rate) / 1_000_000n
    return [
      pair(2 * n, [1, n], [BigInt(n) * E18, BigInt(n) * E18]),
      pair(2 * n + 1, [n, 3], [BigInt(n) * E18, out]),
    ]
  })
  const request = requestFor(pools, [1, 3, E18 / 1000n])
  const problem = selectProblem(request)!
  problem.u.set(initialPrices(problem, request.reference, {}))
  minimiseDual(problem, problem.all)
  const number = request.graph.tokenNumber.get(`0x${better.toString(16).padStart(40, '0')}`)!
  return { problem, number, outside: priceOutside(problem, request) }
}

it('prices every token outside, and finds nothing to earn below the market', () => {
  const { problem, outside } = outsideOf(10, 900_000n)
  expect(problem.outside.length).toBeGreaterThan(50)
  for (const k of problem.outside) expect(Number.isFinite(outside.prices[k])).toBe(true)
  expect(outside.promising).toEqual([])
  expect(outside.leastGas).toBeGreaterThan(0)
})

it('names an outside token whose pools pay more as promising', () => {
  const { problem, number, outside } = outsideOf(10, 1_050_000n)
  expect(problem.outside).toContain(number)
  expect(outside.promising).toEqual([number])
  expect(outside.nets.some((net) => net > 0)).toBe(true)
})
