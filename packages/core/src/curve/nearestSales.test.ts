import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildGraph } from '../graph.js'
import { NATIVE } from '../hex.js'
import { getSqrtPriceAtTick } from '../math/tickMath.js'
import type { Pool } from '../pools/index.js'
import { quote } from '../quote.js'
import { pair, snapshotOf, token } from '../testing/arbitraryMarkets.js'
import { propertyRuns } from '../testing/propertyRuns.js'
import { nearestSales, poolsOffMarket } from './nearestSales.js'

const E18 = 10n ** 18n

/** A pool whose ticks end, so that it can only take so much. */
const ending = (id: string, liquidity: bigint): Pool => ({
  ...{ family: 'uniswapV3', id: `0x${id.repeat(20)}`, venue: 'test', feePpm: 500, tickSpacing: 10 },
  ...{ tokens: [token(1), token(2)], sqrtPriceX96: getSqrtPriceAtTick(0), tick: 0, liquidity },
  ticks: [
    { index: -1000, liquidityNet: liquidity },
    { index: 1000, liquidityNet: -liquidity },
  ],
})
const most = (...asked: Parameters<typeof nearestSales>) => nearestSales(...asked).most
const sell = (amountIn: bigint) => ({ tokenIn: token(1), tokenOut: token(2), amountIn })

describe('the largest sale', () => {
  it('is the most that all pools take together, to one part in a thousand', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 10n ** 9n, max: 10n ** 24n }),
        fc.bigInt({ min: 10n ** 9n, max: 10n ** 24n }),
        fc.integer({ min: 90, max: 127 }),
        (one, other, bits) => {
          const graph = buildGraph(snapshotOf([ending('aa', one), ending('bb', other)]))
          const found = most(graph, sell(1n << BigInt(bits)))!
          const { amountIn } = found.order
          expect(quote(graph, sell(amountIn)).amountOut).toBe(found.amountOut)
          const more = sell(amountIn + amountIn / 500n)
          expect(() => quote(graph, more)).toThrow(
            expect.objectContaining({ code: 'INSUFFICIENT_LIQUIDITY' }),
          )
        },
      ),
      { numRuns: propertyRuns(10) },
    )
  })

  it('is more than any single path can take, also where a probe lies between', () => {
    // With its fee, a pool takes 5.13 % of its liquidity until its ticks end: 0.6 of 2^72, the amount of a probe.
    const liquidity = (2n ** 72n * 6_000n) / 513n
    const alone = most(buildGraph(snapshotOf([ending('aa', liquidity)])), sell(1n << 90n))!
    expect(Number(alone.order.amountIn) / 2 ** 72).toBeCloseTo(0.6, 2)
    const pools = [ending('aa', liquidity), ending('bb', liquidity)]
    const { order } = most(buildGraph(snapshotOf(pools)), sell(1n << 90n))!
    expect(Number(order.amountIn) / 2 ** 72).toBeCloseTo(1.2, 2)
  })

  it('is the order itself if that can be filled, and nothing if no part of it can', () => {
    const graph = buildGraph(snapshotOf([pair(1, [1, 2], [E18, E18])]))
    expect(most(graph, sell(1000n))!.amountOut).toBe(quote(graph, sell(1000n)).amountOut)
    expect(most(graph, sell(1n))).toBeUndefined()
    expect(most(graph, { ...sell(1n), tokenOut: token(7) })).toBeUndefined()
    expect(() => most(graph, sell(-1n))).toThrow(expect.objectContaining({ code: 'BAD_ORDER' }))
  })

  it('keeps to the options, and stops when it is told to', () => {
    const pools = [ending('aa', 10n ** 20n), ending('bb', 10n ** 21n)]
    const graph = buildGraph(snapshotOf(pools))
    const large = sell(1n << 100n)
    const excludedPools = new Set([pools[1]!.id])
    const [all, one] = [most(graph, large)!, most(graph, large, { excludedPools })!]
    expect(Number(all.order.amountIn) / Number(one.order.amountIn)).toBeCloseTo(11, 1)
    const hasty = most(graph, large, { shouldStop: () => true })!
    expect(hasty.order.amountIn).toBeLessThan(all.order.amountIn)
  })

  it('wraps the native token', () => {
    const wrap: Pool = {
      ...{ family: 'wrap', id: token(0), venue: 'w', tokens: [NATIVE, token(0)] },
    }
    const drained = { ...ending('aa', 10n ** 20n), tokens: [token(0), token(2)] } as Pool
    const graph = buildGraph(snapshotOf([wrap, drained]))
    const order = { tokenIn: NATIVE, tokenOut: token(2), amountIn: 1n << 100n }
    const { amountIn } = most(graph, order)!.order
    expect(most(graph, { ...order, tokenIn: token(0) })!.order.amountIn).toBe(amountIn)
  })
})

it('names the pools off the market', () => {
  const fair = [pair(1, [1, 2], [E18, E18]), pair(2, [2, 3], [E18, E18])]
  const off = pair(3, [1, 3], [E18 / 1_000n, 100n * E18])
  expect(poolsOffMarket(buildGraph(snapshotOf([...fair, off])))).toEqual([off.id])
  expect(poolsOffMarket(buildGraph(snapshotOf(fair)))).toEqual([])
})
