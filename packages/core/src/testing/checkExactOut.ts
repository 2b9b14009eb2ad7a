import fc from 'fast-check'
import { expect } from 'vitest'
import { recomputeInputBound } from '../certificate/recomputeInputBound.js'
import { inputGapBpsOf } from '../exactOut/inputBound.js'
import { type ExactOutQuote, quoteExactOut } from '../exactOut/quoteExactOut.js'
import type { Graph } from '../graph.js'
import type { ExactOutOrder, Order } from '../order.js'
import type { Pool } from '../pools/index.js'
import { type Quote, quote } from '../quote.js'
import { amountOutOf } from '../replay.js'
import type { Options } from '../solver/terms.js'
import { anyBits, anyUniswapV3Pool } from './arbitrary.js'
import { anyCleanMarket, anyEnds, pair, token } from './arbitraryMarkets.js'
import { anyCamelotPool, anySolidlyPool } from './arbitraryPairs.js'

/** Pools between five tokens, and an order for any part of what they hold. */
export type ExactOutCase = {
  readonly pools: readonly Pool[]
  readonly gasPrice: bigint
  readonly order: ExactOutOrder
}

const anyOddPool = fc.oneof(anyUniswapV3Pool, anySolidlyPool, anyCamelotPool)

/** Pools that agree on prices, and in half of the markets up to four more at any price. */
const anyPools: fc.Arbitrary<readonly Pool[]> = fc
  .record({
    clean: anyCleanMarket,
    odd: fc.array(fc.record({ pool: anyOddPool, ends: anyEnds }), { maxLength: 4 }),
    isMixed: fc.boolean(),
  })
  .map(({ clean, odd, isMixed }) => [
    ...clean,
    ...(isMixed ? odd : []).map(({ pool, ends: [a, b] }, i): Pool => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)].map(token)
      const { id } = pair(500 + i, [a, b], [1n, 1n])
      return { ...pool, id, tokens: [low!, high!] }
    }),
  ])

/** Orders from one wei to more than all pools hold. */
export const anyExactOutCase: fc.Arbitrary<ExactOutCase> = fc
  .record({
    pools: anyPools,
    ends: anyEnds,
    gasPrice: fc.constantFrom(0n, 10n ** 8n, 10n ** 11n),
    amountOut: fc.oneof(anyBits(1, 100), fc.bigInt({ min: 1n, max: 100n })),
    part: fc.option(fc.bigInt({ min: 1n, max: 100_000n }), { freq: 4 }),
  })
  .map(({ pools, ends: [a, b], gasPrice, amountOut, part }) => {
    const held = pools.flatMap((pool) => {
      const i = pool.tokens.indexOf(token(b))
      return pool.family === 'uniswapV2' && i >= 0 ? [pool.reserves[i as 0 | 1]] : []
    })
    const whole = held.reduce((sum, reserve) => sum + reserve, 0n)
    const wanted = part === null || whole === 0n ? amountOut : (whole * part) / 100_000n
    const order = { tokenIn: token(a), tokenOut: token(b), amountOut: wanted || 1n }
    return { pools, gasPrice, order }
  })

/** An answer with what was measured on it. */
export type CheckedAnswer = {
  readonly answer: ExactOutQuote
  /** Basis points that the cost can be above the least cost; undefined without a bound. */
  readonly gapBps: number | undefined
}

/**
 * Quotes an exact-output order and checks it: the replay pays the wanted amount, one wei less of
 * input does not, and the checker confirms the bound, which is not above the cost. Returns the code
 * of the error if there is no quote.
 */
export function checkExactOut(
  graph: Graph,
  order: ExactOutOrder,
  options: Options = {},
): CheckedAnswer | string {
  let answer: ExactOutQuote
  try {
    answer = quoteExactOut(graph, order, options)
  } catch (error) {
    return codeOf(error)
  }
  const { route, amountOut, order: asked, inputBound, gas } = answer
  const { tokenIn, tokenOut } = order
  const paid = (amountIn: bigint) =>
    amountIn > 0n ? (amountOutOf(route, { tokenIn, tokenOut, amountIn }) ?? 0n) : 0n
  expect(answer.wanted).toBe(order.amountOut)
  expect(paid(asked.amountIn)).toBe(amountOut)
  expect(amountOut).toBeGreaterThanOrEqual(order.amountOut)
  expect(paid(asked.amountIn - 1n)).toBeLessThan(order.amountOut)
  const gapBps = inputGapBpsOf({ ...answer, amountIn: asked.amountIn })
  if (gapBps === null) throw new Error(`the cost of ${asked.amountIn} is below its bound`)
  if (inputBound) {
    const proved = recomputeInputBound(graph.snapshot, order, inputBound)
    expect(proved).toBeGreaterThanOrEqual(inputBound.amount)
    const cost = Number(asked.amountIn) + gas * inputBound.gasCost
    expect(Number(proved)).toBeLessThanOrEqual(cost)
  }
  return { answer, gapBps }
}

/** The exact-input quote of an order; `undefined` if there is none. */
export function tryQuote(graph: Graph, order: Order, options: Options = {}): Quote | undefined {
  try {
    return quote(graph, order, options)
  } catch (error) {
    codeOf(error)
    return undefined
  }
}

const CODES = ['NO_ROUTE', 'INSUFFICIENT_LIQUIDITY', 'AMOUNT_TOO_SMALL']

/** The code of an error that says why there is no quote; throws any other error. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? `${error.code}` : ''
  if (!CODES.includes(code)) throw error
  return code
}
