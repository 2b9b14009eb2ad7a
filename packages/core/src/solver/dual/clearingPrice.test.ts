import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pair } from '../../testing/arbitraryMarkets.js'
import { edgesOf, problemOf, requestFor } from '../../testing/problem.js'
import type { Network } from '../network/problem.js'
import { relaxOrder, selectProblem } from '../network/subgraph.js'
import { solveArbitrage, tradesAt } from './arbitrage.js'
import { clearingPrice, priceOutside, priceUnusedTokens, promisingTokens } from './clearingPrice.js'
import { minimiseDual } from './newton.js'

const E18 = 10n ** 18n

/** A pool with both reserves 1 from token 0 to token 1, and one from token 2 to token 0. */
const curve = {
  ...{ γ: 1, startIn: Float64Array.of(0, 1e9), startOut: Float64Array.of(0, 1) },
  ...{ price: Float64Array.of(1), reserveIn: Float64Array.of(1) },
}
const twoPools = {
  graph: {
    ...{ logSpot: Float64Array.of(0, 0), pieces: [curve, curve] },
    ...{ piecesFrom: [curve, curve], stateOf: [curve], poolOf: [0, 0] },
  },
  ...{ edges: Int32Array.of(0, 1), from: Int32Array.of(0, 2), to: Int32Array.of(1, 0) },
  ...{ tokens: Int32Array.of(0, 1, 2), first: Int32Array.of(0, 1, 1, 2) },
  logSpot: Float64Array.of(0, 0),
  entering: {
    ...{ firstInto: Int32Array.of(0, 1, 2, 2), into: Int32Array.of(1, 0) },
    ...{ fromOfInto: Int32Array.of(2, 0), logSpotOfInto: Float64Array.of(0, 0) },
  },
} as unknown as Network

/** The price of a token that neighbours buy at `bid` and sell at `ask`, as log prices; NaN if none does. */
function priceBetween(bid: number, ask: number, now: number) {
  return clearingPrice(twoPools, Float64Array.of(now, bid, ask), 0)
}

it('stays between bid and ask, and takes what is known of them without a price now', () => {
  expect(priceBetween(1, 3, 2)).toBe(2)
  expect(priceBetween(1, 3, 9)).toBe(3)
  expect(priceBetween(1, 3, Number.NaN)).toBe(2)
  expect(priceBetween(1, Number.NaN, Number.NaN)).toBe(1)
  expect(priceBetween(Number.NaN, 3, Number.NaN)).toBe(3)
  expect(priceBetween(Number.NaN, Number.NaN, Number.NaN)).toBeNaN()
})

it('is the root of the net flow where the bid is above the ask', () => {
  // √(e³/ν) − 1 flows out, and 1 − √(e/ν) comes in.
  const root = 2 * Math.log((Math.exp(1.5) + Math.exp(0.5)) / 2)
  // A thousandth of the flows at bid and ask may be left.
  expect(priceBetween(3, 1, 2)).toBeCloseTo(root, 3)
})

it('balances a pool into a token and a pool out of it', () => {
  // Token 2 costs about 1 and sells for about 1.1: both pools trade until they agree.
  const pools = [
    pair(0, [1, 2], [100n * E18, 100n * E18]),
    pair(1, [2, 3], [100n * E18, 110n * E18]),
    pair(2, [1, 3], [100n * E18, 100n * E18]),
  ]
  const problem = problemOf(pools, [1, 3, E18])
  const [into] = edgesOf(problem, 1, 2)
  const [out] = edgesOf(problem, 2, 3)
  const k = problem.to[into!]!
  problem.u.fill(0)
  problem.ν.fill(1)
  problem.u[k] = 5
  const direct = Int32Array.from(edgesOf(problem, 1, 3))
  const isPassed = priceUnusedTokens(problem, direct, problem.u.slice())
  expect([...isPassed.keys()].filter((token) => !isPassed[token])).toEqual([k])
  solveArbitrage(problem, Int32Array.of(into!, out!))
  expect(problem.u[k]).toBeLessThan(Math.log(1.1))
  expect(problem.x[out!]! / problem.y[into!]!).toBeCloseTo(1, 3)
})

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
  const relaxation = relaxOrder(request)!
  const problem = selectProblem(relaxation)!
  minimiseDual(problem, problem.all)
  const number = request.graph.tokenNumber.get(`0x${better.toString(16).padStart(40, '0')}`)!
  const prices = priceOutside(problem, relaxation)
  const { worth } = tradesAt(relaxation, prices)
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

it('skips only tokens whose neighbours keep their prices', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(99), { minLength: 300, maxLength: 300 }), (rates) => {
      // A chain of tokens, some of them next to an end, so that prices spread over several hops.
      const pools = inner.flatMap((n, at) => {
        const [next, outer] = [rates[2 * at]!, rates[2 * at + 1]!]
        const reserve = (rate: number) => BigInt(9_950 + rate) * (E18 / 10n)
        const end = outer % 3 === 0 ? [pair(2 * n, [1, n], [1000n * E18, reserve(outer)])] : []
        const neighbour = n < 159 ? n + 1 : 3
        return [...end, pair(2 * n + 1, [n, neighbour], [1000n * E18, reserve(next)])]
      })
      const deep = [pair(0, [1, 3], [10n ** 24n, 10n ** 24n]), pair(1, [1, 10], [E18, E18])]
      const request = requestFor([...pools, ...deep], [1, 3, E18])
      const relaxation = relaxOrder(request)!
      const problem = selectProblem(relaxation)!
      const prices = Float64Array.from(relaxation.tokens, (k) => {
        const n = problem.tokens.indexOf(k)
        return n < 0 ? Number.NaN : problem.u[n]!
      })
      const free = [...prices.keys()].filter((k) => Number.isNaN(prices[k]))
      fc.pre(free.length > 20)
      for (let left = free.length, before = left + 1; left < before; ) {
        before = left
        for (const k of free) prices[k] = clearingPrice(relaxation, prices, k)
        left = free.filter((k) => Number.isNaN(prices[k])).length
      }
      expect(priceOutside(problem, relaxation)).toEqual(prices)
    }),
    { numRuns: 20 },
  )
})
