import { expect, it } from 'vitest'
import type { Pool } from '../../pools/index.js'
import { pair, token } from '../../testing/arbitraryMarkets.js'
import { directOnly, edgesOf, freeTerms, problemOf } from '../../testing/problem.js'
import { minimiseDual } from '../dual/newton.js'
import { additions, evaluate, gainsWithout, keyOf } from './columns.js'

const E18 = 10n ** 18n

/** Edges with so many ticks of a curve, each an input of 1, the last cut after a part of it. */
function columnsOf(...counts: number[]) {
  const ofTicks = (count: number) => ({
    price: new Float64Array(Math.ceil(count)),
    startIn: Float64Array.from({ length: Math.ceil(count) + 1 }, (_, n) => Math.min(n, count)),
  })
  return { pieces: counts.map(ofTicks), whole: counts.map(() => ofTicks(9)) } as never
}

it('knows columns again in any order, and tells those that are cut elsewhere apart', () => {
  const key = keyOf(columnsOf(3, 2, 1), Int32Array.of(0, 1))
  expect(keyOf(columnsOf(3, 2, 5), Int32Array.of(1, 0))).toBe(key)
  expect(keyOf(columnsOf(2, 2, 1), Int32Array.of(0, 1))).not.toBe(key)
  expect(keyOf(columnsOf(2.5, 2, 1), Int32Array.of(0, 1))).not.toBe(key)
  expect(keyOf(columnsOf(2.5, 2, 1), Int32Array.of(0, 1))).not.toBe(
    keyOf(columnsOf(2.6, 2, 1), Int32Array.of(0, 1)),
  )
  expect(keyOf(columnsOf(3, 2, 1), Int32Array.of(0, 1, 2))).not.toBe(key)
})

it('leaves columns that close a cycle unsolved, and solves them without an edge of it', () => {
  const pools = [
    [1, 3],
    [3, 4],
    [3, 4],
    [4, 2],
  ].map(([a, b], i) => pair(i, [a!, b!], [100n * E18, 100n * E18]))
  const problem = problemOf(pools, [1, 2, E18])
  const prices = problem.u.slice()
  const search = {
    problem,
    prices,
    terms: freeTerms,
    paths: [],
    known: new Map(),
    budget: 10,
    shouldStop: () => false,
  }
  const [there, back] = [edgesOf(problem, 3, 4), edgesOf(problem, 4, 3)]
  const acyclic = [...edgesOf(problem, 1, 3), ...there, ...edgesOf(problem, 4, 2)].sort(
    (a, b) => a - b,
  )
  expect(evaluate(search, Int32Array.of(...acyclic, back[0]!))).toBeUndefined()
  expect(problem.u).toEqual(prices)
  expect([...evaluate(search, Int32Array.from(acyclic))!.edges]).toEqual(acyclic)
})

it('offers the pair as one move, and none whose gas costs more than it gains', () => {
  const { problem, dualPrices, first } = directOnly()
  const searchAt = (gasCost: number) => ({
    ...{ problem, prices: dualPrices, paths: [] },
    terms: { ...freeTerms, gasCost },
  })
  const moves = additions(searchAt(0), first.edges)
  expect(moves[0]!.columns.length).toBe(2)
  expect(moves[0]!.gain).toBeGreaterThan(0)
  expect(additions(searchAt(1e15), first.edges)).toEqual([])
})

it('offers a pool as far as it earns', () => {
  const edges = [-60, -50, -40, -30, -20, -10, 10]
  const ranged: Pool = {
    ...{ family: 'uniswapV3', id: `0x${'f'.repeat(40)}`, venue: 'test' },
    ...{ tokens: [token(1), token(2)], feePpm: 500, tickSpacing: 10 },
    ...{ sqrtPriceX96: 1n << 96n, tick: 0, liquidity: 1000n * E18 },
    // Each range has half as much as the one before it on the way down.
    ticks: edges.map((index, n) => ({
      index,
      liquidityNet: index > 0 ? -1000n * E18 : BigInt(n === 0 ? 32 : 2 ** (n + 4)) * E18,
    })),
  }
  const problem = problemOf([ranged, pair(1, [1, 2], [100n * E18, 100n * E18])], [1, 2, 10n * E18])
  minimiseDual(problem, problem.all)
  const prices = problem.u.slice()
  const used = problem.all.filter((i) => problem.whole[i]!.price.length === 1)
  minimiseDual(problem, used)
  const search = { problem, prices, terms: freeTerms, paths: [] }
  expect(additions(search, used).map(({ columns }) => columns[0]![1])).toEqual([6])
})

it('predicts the loss of each of several parallel pools to a few per cent', () => {
  const depths = [1n, 2n, 3n, 5n, 8n, 8n, 13n]
  const pools = depths.map((depth, i) => pair(i, [1, 2], [depth * 100n * E18, depth * 100n * E18]))
  const problem = problemOf(pools, [1, 2, 40n * E18])
  const { bound } = minimiseDual(problem, problem.all)
  const { all } = problem
  const gainsOf = gainsWithout(problem)
  const predicted = Array.from(all, (i) => -gainsOf(i)(0))
  const prices = problem.u.slice()
  for (const i of all) {
    problem.u.set(prices)
    const rest = minimiseDual(
      problem,
      all.filter((e) => e !== i),
    )
    const loss = bound - rest.bound
    expect(predicted[i]! / loss).toBeGreaterThan(0.95)
    expect(predicted[i]! / loss).toBeLessThan(1.05)
  }
})
