import { expect, it } from 'vitest'
import { buildGraph } from '../graph.js'
import { ROUTER_GAS } from '../replay.js'
import { pair, snapshotOf, token, WRAPPED } from '../testing/arbitraryMarkets.js'
import { solveInputOf } from './terms.js'

const E18 = 10n ** 18n
const graph = buildGraph(snapshotOf([pair(0, [0, 1], [100n * E18, 400n * E18])], 7n))
const order = { tokenIn: WRAPPED, tokenOut: token(1), amountIn: E18 }

it('fills in the defaults', () => {
  const request = solveInputOf(graph, order)
  expect(request.terms).toMatchObject({ objective: 'net', maxLegs: 24, maxGas: 24_000_000 })
  expect(request.terms).toMatchObject({ maxHops: Number.POSITIVE_INFINITY, pathHops: 8 })
  expect(request.terms.room).toBe(24_000_000 - ROUTER_GAS)
  expect(request.start).toEqual({})
  expect(request.certificate).toBe('paths')
  expect(request.shouldStop()).toBe(false)
})

it('values gas in the token out, at four of them for a native one', () => {
  expect(solveInputOf(graph, order).terms.gasCost).toBeCloseTo(28, 9)
  expect(solveInputOf(graph, order, { gasPrice: 2n }).terms.gasCost).toBeCloseTo(8, 9)
  expect(solveInputOf(graph, order, { objective: 'gross' }).terms.gasCost).toBe(0)
})

it('allows a single path as many hops as asked for, but no more than legs', () => {
  expect(solveInputOf(graph, order, { maxHops: 7 }).terms.pathHops).toBe(7)
  expect(solveInputOf(graph, order, { maxHops: 7, maxLegs: 3 }).terms.pathHops).toBe(3)
})

it('allows it as many hops as the widest path has, where that has more than eight', () => {
  const deep = [10n ** 24n, 10n ** 24n] as const
  const row = Array.from({ length: 9 }, (_, n) => pair(n, [n, n + 1], deep))
  const small = pair(9, [0, 9], [E18, E18])
  const market = buildGraph(snapshotOf([...row, small], 7n))
  const across = { ...order, tokenOut: token(9) }
  expect(solveInputOf(market, across).terms.pathHops).toBe(9)
  expect(solveInputOf(market, order).terms.pathHops).toBe(8)
})

it('tells a bound which pools and tokens it leaves out', () => {
  expect(solveInputOf(graph, order).scope).toEqual({ setAside: [], excluded: [] })
  const [pool] = graph.pools
  const only = new Set([token(1)])
  const options = { excludedPools: new Set([pool!]), onlyIntermediates: only }
  const { scope } = solveInputOf(graph, order, options)
  expect(scope).toEqual({ setAside: [], excluded: [pool], onlyIntermediates: [token(1)] })
})
