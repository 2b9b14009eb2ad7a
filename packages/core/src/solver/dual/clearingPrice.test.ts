import fc from 'fast-check'
import { expect, it } from 'vitest'
import { buildGraph } from '../../graph.js'
import {
  anyCleanMarket,
  anyEnds,
  orderOf,
  pair,
  snapshotOf,
} from '../../testing/arbitraryMarkets.js'
import { edgesOf, problemOf, requestFor } from '../../testing/problem.js'
import type { Network } from '../network/problem.js'
import { initialPrices } from '../network/problem.js'
import { relaxOrder, selectNetwork, selectProblem } from '../network/subgraph.js'
import { requestOf } from '../terms.js'
import { solveArbitrage, tradesAt } from './arbitrage.js'
import {
  clearingPrice,
  incidenceOf,
  priceOutside,
  priceUnusedTokens,
  promisingTokens,
  rootBetween,
} from './clearingPrice.js'
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
  tokens: Int32Array.of(0, 1, 2),
} as unknown as Network

/** The price of a token that neighbours buy at `bid` and sell at `ask`, as log prices; NaN if none does. */
function priceBetween(bid: number, ask: number, now: number) {
  return clearingPrice(twoPools, incidenceOf(twoPools), Float64Array.of(now, bid, ask), 0)
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
  expect(priceBetween(3, 1, 2)).toBeCloseTo(root, 6)
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

it('finds the root of a line exactly', () => {
  expect(rootBetween(-3, 5, (u) => 2 * u - 1)).toBeCloseTo(0.5, 12)
})

it('leaves less than a tenth of the bracket around the root of a curve, and stays inside', () => {
  fc.assert(
    fc.property(fc.double({ min: -1, max: 1, noNaN: true }), (root) => {
      const found = rootBetween(-1.5, 1.5, (u) => Math.exp(u) - Math.exp(root))
      expect(found).toBeGreaterThanOrEqual(-1.5)
      expect(found).toBeLessThanOrEqual(1.5)
      expect(Math.abs(found - root)).toBeLessThan(0.3)
    }),
  )
})

it('lists every edge at both of its ends, and once at each', () => {
  fc.assert(
    fc.property(anyCleanMarket, anyEnds, (pools, ends) => {
      const graph = buildGraph(snapshotOf(pools))
      const network = selectNetwork(requestOf(graph, orderOf(pools, ends, 10n)))
      if (!network) return
      const { from, to, tokens } = network
      const { first, at } = incidenceOf(network)
      const listed = [...tokens.keys()].flatMap((k) =>
        [...at.subarray(first[k], first[k + 1])].map((i) => `${i} at ${k}`),
      )
      const wanted = [...from.keys()].flatMap((i) => [`${i} at ${from[i]}`, `${i} at ${to[i]}`])
      expect(listed.sort()).toEqual(wanted.sort())
    }),
    { numRuns: 30 },
  )
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
