import { describe, expect, it } from 'vitest'
import type { ApiError } from '../errors.js'
import { frozenGraph, USDC, WHYPE } from '../testing/frozenMarket.js'
import { runSearch, type Search, type SearchName } from './searches.js'

const E18 = 10n ** 18n
const order = { tokenIn: WHYPE, tokenOut: USDC, amountIn: 2_000n * E18 }
const wanted = { tokenIn: WHYPE, tokenOut: USDC, amountOut: 60_000n * 10n ** 6n }
const searches: readonly Search<SearchName>[] = [
  { name: 'sell', asked: order, options: {} },
  { name: 'estimate', asked: order, options: {} },
  { name: 'buy', asked: wanted, options: {} },
  { name: 'deliver', asked: { ...wanted, slippagePpm: 5_000n }, options: {} },
  { name: 'nearest', asked: { ...order, amountIn: 10n ** 9n * E18 }, options: {} },
  { name: 'compare', asked: { order, limit: 5 }, options: {} },
  {
    name: 'price',
    asked: { token: WHYPE, usdTokens: [USDC], trusted: new Set([WHYPE, USDC]) },
    options: {},
  },
]
/** From a limit that is over at once to one that many machines keep. */
const LIMITS_MS = [-1, 0.1, 0.3, 1, 3, 10, 30, 100]

describe('a search with a limit of time', () => {
  it.each(searches)('$name answers the same or not at all', (search) => {
    const whole = runSearch(frozenGraph, search, Number.POSITIVE_INFINITY)
    if (!('value' in whole)) throw whole.error
    for (const limitMs of LIMITS_MS) {
      const limited = runSearch(frozenGraph, search, limitMs)
      if ('value' in limited) expect(limited.value).toEqual(whole.value)
      else expect((limited.error as ApiError).code).toBe('DEADLINE_EXCEEDED')
    }
    expect(runSearch(frozenGraph, search, -1)).toHaveProperty('error')
  })
})
