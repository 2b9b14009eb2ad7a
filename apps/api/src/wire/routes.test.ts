import type { Address, Pool } from '@braid-swap/core'
import { type PlannedHop, replay, SHARE_ONE, toHex } from '@braid-swap/core/advanced'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkGraph, checkRoutes } from '../testing/index.js'
import { showAddress } from './addresses.js'
import { feePercentOf, poolTypeOf, toGraph, tokenOutOf } from './graph.js'
import { toPercents } from './percents.js'
import { splitIntoPaths } from './routes.js'

describe('percents', () => {
  it('sum to exactly 100, as floats, in any order, and are off by less than a sixteenth', () => {
    const anyParts = fc.array(fc.bigInt({ min: 0n, max: 2n ** 200n }), {
      minLength: 1,
      maxLength: 24,
    })
    fc.assert(
      fc.property(anyParts, (parts) => {
        const whole = parts.reduce((sum, part) => sum + part, 0n)
        fc.pre(whole > 0n)
        const percents = toPercents(parts)
        expect(percents.reduce((sum, percent) => sum + percent, 0)).toBe(100)
        expect(percents.toReversed().reduce((sum, percent) => sum + percent, 0)).toBe(100)
        for (const [i, part] of parts.entries()) {
          const exact = Number((part * 10n ** 12n) / whole) / 1e10
          expect(Math.abs(percents[i]! - exact)).toBeLessThan(1 / 16 + 1e-6)
        }
      }),
    )
  })

  it('of nothing are zero', () => {
    expect(toPercents([0n, 0n])).toEqual([0, 0])
  })
})

const tokens = [1, 2, 3, 4, 5].map((n): Address => toHex(n, 20))
const tokenIn = tokens[0]!
const tokenOut = tokens.at(-1)!

/** A random DAG: hops between tokens of ascending number, each token's last hop taking the rest. */
const anyPlan: fc.Arbitrary<readonly PlannedHop[]> = fc
  .array(
    fc.record({
      from: fc.integer({ min: 0, max: 3 }),
      step: fc.integer({ min: 1, max: 4 }),
      share: fc.integer({ min: 1, max: SHARE_ONE - 1 }),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .map((wishes) => {
    const reached = new Set([0])
    const edges: { from: number; to: number; share: number }[] = []
    for (const from of [0, 1, 2, 3]) {
      if (!reached.has(from)) continue
      const mine = wishes
        .filter((wish) => wish.from === from)
        .map(({ step, share }) => ({ from, to: Math.min(4, from + step), share }))
      edges.push(...mine, { from, to: 4, share: 0 })
      for (const { to } of [...mine, { to: 4 }]) reached.add(to)
    }
    return edges.map(({ from, to, share }, i): PlannedHop => {
      const pool: Pool = {
        ...{ family: 'uniswapV2', id: toHex(0x1000 + i, 20), venue: 'test', feePpm: 3000 },
        tokens: [tokens[from]!, tokens[to]!],
        reserves: [10n ** 30n, 10n ** 30n],
      }
      return { pool, direction: { in: 0, out: 1 }, share }
    })
  })

function quoted(plan: readonly PlannedHop[], amountIn: bigint) {
  const order = { tokenIn, tokenOut, amountIn }
  const walked = replay(plan, order)
  fc.pre(walked !== undefined)
  const { route, amountOut } = walked!
  const paths = splitIntoPaths(route, order, amountOut)
  const graph = [...toGraph(route)]
  const routes = paths.map(({ hops, percent, amountIn, amountOut }) => ({
    percent,
    path: [tokenIn, ...hops.map(tokenOutOf)].map((token) => ({
      ...{ address: showAddress(token), decimals: 18, symbol: 'T' },
    })),
    pools: hops.map((hop) => ({
      address: showAddress(hop.pool.id),
      fee: feePercentOf(hop),
      exchange: hop.pool.venue,
      poolType: poolTypeOf(hop),
    })),
    amountIn: `${amountIn}`,
    amountOut: `${amountOut}`,
  }))
  const ends = { src: tokenIn, dst: tokenOut, amount: `${amountIn}`, dstAmount: `${amountOut}` }
  return { ...ends, graph, routes }
}

describe('routes and graph of any DAG', () => {
  it('keep every rule, for amounts from a thousand wei to a large part of the pools', () => {
    fc.assert(
      fc.property(anyPlan, fc.bigInt({ min: 1_000n, max: 10n ** 29n }), (plan, amountIn) => {
        const answer = quoted(plan, amountIn)
        expect(checkGraph(answer)).toEqual([])
        expect(checkRoutes(answer)).toEqual([])
        expect(answer.routes.length).toBeLessThanOrEqual(plan.length)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the checkers', () => {
  const plan: readonly PlannedHop[] = [
    { from: 0, to: 1, share: SHARE_ONE >> 1 },
    { from: 0, to: 4, share: 0 },
    { from: 1, to: 4, share: 0 },
  ].map(({ from, to, share }, i) => ({
    pool: {
      ...{ family: 'uniswapV2', id: toHex(0x1000 + i, 20), venue: 'test', feePpm: 3000 },
      tokens: [tokens[from]!, tokens[to]!],
      reserves: [10n ** 30n, 10n ** 30n],
    },
    direction: { in: 0, out: 1 },
    share,
  }))
  const right = quoted(plan, 10n ** 18n)
  const withHop = (index: number, change: Partial<(typeof right.graph)[number]>) => ({
    ...right,
    graph: right.graph.map((entry, i) => (i === index ? { ...entry, ...change } : entry)),
  })

  it('find nothing in a right answer', () => {
    expect(checkGraph(right)).toEqual([])
  })

  it.each([
    ['a wei too much promised', { ...right, dstAmount: `${BigInt(right.dstAmount) + 1n}` }],
    ['a wei lost on the way', withHop(2, { amountIn: `${BigInt(right.graph[2]!.amountIn) - 1n}` })],
    ['another share', withHop(0, { share: '1' })],
    ['no hop taking the rest', withHop(1, { takesRemainder: false })],
    ['percentages of 101', withHop(2, { percentage: 101 })],
    ['hops out of order', { ...right, graph: right.graph.toReversed() }],
    ['no hops', { ...right, graph: [] }],
  ])('find %s', (_, wrong) => {
    expect(checkGraph(wrong)).not.toEqual([])
  })

  it('find a route that sums to 99 % or uses another pool', () => {
    const [first, ...rest] = right.routes
    const less = { ...right, routes: [{ ...first!, percent: first!.percent - 1 }, ...rest] }
    expect(checkRoutes(less)).not.toEqual([])
    const other = { ...right, routes: [{ ...first!, pools: right.routes.at(-1)!.pools }, ...rest] }
    expect(checkRoutes(other)).not.toEqual([])
  })
})
