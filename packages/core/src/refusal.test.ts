// What a refused order is told, and that what it is offered works.

import { expect, it } from 'vitest'
import { buildGraph } from './graph.js'
import { LIMITS } from './judge.js'
import { getSqrtPriceAtTick } from './math/tickMath.js'
import type { Pool } from './pools/index.js'
import { priceImpactBps } from './priceImpact.js'
import { quote } from './quote.js'
import { findNearest, isUnfilled, refusalWords } from './refusal.js'
import { pair, snapshotOf, token } from './testing/arbitraryMarkets.js'

const E18 = 10n ** 18n
const ends = { tokenIn: token(1), tokenOut: token(2) }
const names = new Map([
  [token(1), { symbol: 'HYPE', decimals: 18 }],
  [token(2), { symbol: 'USDC', decimals: 6 }],
  [token(3), { symbol: 'PURR', decimals: 5 }],
])
const wordsOf = (of: (typeof ends)['tokenIn']) => names.get(of)
/** Its ticks end, so that it can only take so much. */
const ending: Pool = {
  ...{ family: 'uniswapV3', id: token(9), venue: 'test', feePpm: 500, tickSpacing: 10 },
  ...{ tokens: [token(1), token(2)], sqrtPriceX96: getSqrtPriceAtTick(0), tick: 0 },
  liquidity: 1_000n * E18,
  ticks: [
    { index: -9_000, liquidityNet: 1_000n * E18 },
    { index: 9_000, liquidityNet: -1_000n * E18 },
  ],
}
const graph = buildGraph(snapshotOf([ending]))

function refusalOf(find: () => unknown) {
  try {
    find()
  } catch (error) {
    if (isUnfilled(error)) return error
    throw error
  }
  throw new Error('it was not refused')
}

it('the offers of an order beyond the end of the market sell, the second at the stated loss', () => {
  const order = { ...ends, amountIn: 10n ** 30n }
  const error = refusalOf(() => quote(graph, order))
  const nearest = findNearest(graph, order, {})
  for (const sale of [nearest, nearest.atLoss!]) {
    const sold = quote(graph, { ...ends, amountIn: sale.amountIn })
    expect(sold.amountOut).toBe(sale.amountOut)
    const isModest = priceImpactBps(sold, sold.order)! <= LIMITS.PRICE_IMPACT_HIGH.ask
    expect(isModest).toBe(sale === nearest.atLoss)
  }
  expect(nearest.atLoss!.lossBps).toBe(LIMITS.PRICE_IMPACT_HIGH.ask)
  const said = refusalWords(error, order, { wordsOf, nearest })
  expect(said).toMatch(
    /^HYPE to USDC: the market cannot take .*\. It takes [\d.,]+ HYPE for [\d.,]+ USDC, and at most [\d.,]+ HYPE for [\d.,]+ USDC at a loss of 5\.00 %$/,
  )
  const open = { ...nearest, ...findNearest(graph, ends, {}) }
  expect(Number(open.amountIn) / Number(nearest.amountIn)).toBeCloseTo(1, 2)
})

it('an untrusted route is told by the tokens that it would pass', () => {
  const market = buildGraph(snapshotOf([pair(1, [1, 3], [E18, E18]), pair(2, [3, 2], [E18, E18])]))
  const order = { ...ends, amountIn: E18 / 10n }
  const error = refusalOf(() => quote(market, order, { onlyIntermediates: new Set() }))
  expect(refusalWords(error, order, { wordsOf })).toBe(
    'HYPE to USDC is only connected through PURR (0x000000…000003), which nobody vouches for',
  )
  expect(error.details['onlyIntermediates']).toBe(token(3))
})

it('nothing is offered where nothing sells, and tokens without names are addresses', () => {
  const order = { ...ends, tokenOut: token(4), amountIn: E18 }
  const error = refusalOf(() => quote(graph, order))
  const nearest = findNearest(graph, order, {})
  expect(nearest).toEqual({ amountIn: 0n, amountOut: 0n })
  expect(refusalWords(error, order, { wordsOf: () => undefined, nearest })).toBe(
    '0x000000…000001 to 0x000000…000004: no pools connect the two tokens',
  )
})
