import { expect, it } from 'vitest'
import { pair } from '../../testing/arbitraryMarkets.js'
import { requestFor } from '../../testing/problem.js'
import { initialPrices } from '../network/problem.js'
import { relaxOrder } from '../network/relaxation.js'
import { selectProblem } from '../network/subgraph.js'
import { tradesAt } from './bestTrades.js'
import { minimiseDual } from './newton.js'
import { priceOutside, promisingTokens } from './outside.js'

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
  const relaxation = relaxOrder(request)!
  const prices = priceOutside(problem, relaxation)
  const { worth } = tradesAt(relaxation, { u: prices, gasMultiplier: request.terms.gasCost })
  const promising = promisingTokens(problem, relaxation, worth)
  return { problem, number, relaxation, prices, promising }
}

it('prices every token outside, and finds nothing to earn below the market', () => {
  const { problem, relaxation, prices, promising } = outsideOf(10, 900_000n)
  expect(problem.outside.length).toBeGreaterThan(50)
  const reference = relaxation.tokens.indexOf(problem.outside[0]!)
  expect(prices.length).toBe(relaxation.tokens.length)
  for (const price of prices) expect(Number.isFinite(price)).toBe(true)
  // Outside are the thin ones: they cost par, and pay a tenth less.
  expect(Math.exp(prices[reference]!)).toBeGreaterThan(0.89)
  expect(Math.exp(prices[reference]!)).toBeLessThan(1.01)
  expect(promising).toEqual([])
})

it('names an outside token whose pools pay more as promising', () => {
  const { problem, number, promising } = outsideOf(10, 1_050_000n)
  expect(problem.outside).toContain(number)
  expect(promising).toEqual([number])
})
