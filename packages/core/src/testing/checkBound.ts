import fc from 'fast-check'
import { expect } from 'vitest'
import { recomputeBound } from '../certificate/recomputeBound.js'
import { buildGraph } from '../graph.js'
import type { Order } from '../order.js'
import type { Pool } from '../pools/index.js'
import { gapBpsOf } from '../quote.js'
import type { Options } from '../solver/terms.js'
import { anyBits, anyUniswapV3PoolAt } from './arbitrary.js'
import { anyEnds, pair, snapshotOf, token } from './arbitraryMarkets.js'
import { anyExactOutCase, tryQuote } from './checkExactOut.js'
import { bestRivalWorth } from './rivalRoutes.js'

/** A market, an order, and the terms it is solved on. */
export type BoundCase = {
  readonly pools: readonly Pool[]
  readonly gasPrice: bigint
  readonly order: Order
  readonly options: Options
}

const TOKENS = 5
const TICK = Math.log(1.0001)

/** Pairs and pools with ticks between five tokens, all within half a percent of one price per token. */
const anyMixedMarket: fc.Arbitrary<readonly Pool[]> = fc
  .record({
    prices: fc.array(fc.integer({ min: 1, max: 1_000_000 }), {
      minLength: TOKENS,
      maxLength: TOKENS,
    }),
    pools: fc.array(
      fc.record({
        ends: anyEnds,
        depth: fc.bigInt({ min: 10n ** 9n, max: 10n ** 24n }),
        noise: fc.integer({ min: -50, max: 50 }),
        concentrated: fc.option(anyUniswapV3PoolAt, { freq: 2 }),
      }),
      { minLength: 2, maxLength: 12 },
    ),
  })
  .map(({ prices, pools }) =>
    pools.map(({ ends, depth, noise, concentrated }, i): Pool => {
      const [a, b] = [Math.min(...ends), Math.max(...ends)]
      const reserves = [depth * BigInt(prices[b]!), depth * BigInt(prices[a]!)] as const
      const plain = pair(i, [a, b], reserves, 3000 + 20 * noise)
      if (!concentrated) return plain
      const pool = concentrated(Math.round(Math.log(prices[a]! / prices[b]!) / TICK) + noise)
      return { ...pool, id: plain.id, tokens: [token(a), token(b)] }
    }),
  )

const anyMixedCase = fc.record({
  pools: anyMixedMarket,
  gasPrice: fc.constantFrom(0n, 10n ** 8n, 10n ** 11n),
  order: fc.record({ ends: anyEnds, amountIn: anyBits(1, 100) }).map(({ ends, amountIn }) => ({
    tokenIn: token(ends[0]),
    tokenOut: token(ends[1]),
    amountIn,
  })),
})

/** Markets with pools at any price, where many pools are off the market. */
const anyOddCase = anyExactOutCase.map(
  ({ pools, gasPrice, order: { tokenIn, tokenOut, amountOut } }) => ({
    pools,
    gasPrice,
    order: { tokenIn, tokenOut, amountIn: amountOut },
  }),
)

/** Orders from a wei to more than the pools hold, on any terms. */
export const anyBoundCase: fc.Arbitrary<BoundCase> = fc
  .record({
    one: fc.oneof(anyMixedCase, anyOddCase),
    options: fc.record({
      objective: fc.constantFrom('net' as const, 'net' as const, 'gross' as const),
      maxLegs: fc.constantFrom(1, 2, 3, 5, 24),
      maxGas: fc.constantFrom(250_000, 500_000, 1_600_000, 30_000_000),
      certificate: fc.constantFrom('fast' as const, 'paths' as const),
    }),
  })
  .map(({ one, options }) => ({ ...one, options }))

/**
 * Solves an order and checks its bound: neither the answer nor a route of another search is above
 * it, and the checker confirms it. Returns whether there was a bound to check.
 */
export function checkBound({ pools, gasPrice, order, options }: BoundCase): boolean {
  const snapshot = snapshotOf(pools, gasPrice)
  const answer = tryQuote(buildGraph(snapshot), order, options)
  if (!answer?.bound) return false
  expect(gapBpsOf(answer)).not.toBeNull()
  const proved = recomputeBound(snapshot, order, answer.bound)
  expect(proved).toBeLessThanOrEqual(answer.bound.amount)
  const rival = bestRivalWorth(pools, order, answer.bound)
  if (rival !== undefined) expect(rival).toBeLessThanOrEqual(Number(proved))
  return true
}
