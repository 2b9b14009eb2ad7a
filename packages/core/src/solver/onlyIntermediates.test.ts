// Routes over given tokens only, compared with the same market without any other token.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { recomputeBound } from '../certificate/recomputeBound.js'
import { quoteExactOut } from '../exactOut/quoteExactOut.js'
import { buildGraph } from '../graph.js'
import type { Address } from '../hex.js'
import type { Pool } from '../pools/index.js'
import { quote } from '../quote.js'
import {
  anyCleanMarket,
  anyEnds,
  orderOf,
  pair,
  snapshotOf,
  token,
} from '../testing/arbitraryMarkets.js'
import { anyStaticStableSwapPool } from '../testing/arbitraryStableSwap.js'
import { propertyRuns } from '../testing/propertyRuns.js'

const E18 = 10n ** 18n
const inner = fc.uniqueArray(fc.nat(4).map(token), { maxLength: 3 }).map((list) => new Set(list))
const CODES = ['NO_ROUTE', 'ROUTE_UNTRUSTED', 'AMOUNT_TOO_SMALL', 'INSUFFICIENT_LIQUIDITY']

/** The result, or `undefined` if the market has none. */
function attempt<T>(find: () => T): T | undefined {
  try {
    return find()
  } catch (error) {
    expect(CODES).toContain((error as { code?: string }).code)
    return undefined
  }
}

it('keeps routes to the listed tokens, as near to the best as its bound says', () => {
  fc.assert(
    fc.property(anyCleanMarket, anyEnds, inner, (pools, ends, onlyIntermediates) => {
      const order = orderOf(pools, ends, 20n)
      const isListed = (one: Address) =>
        onlyIntermediates.has(one) || one === order.tokenIn || one === order.tokenOut
      const listed = pools.filter(({ tokens }) => tokens.every(isListed))
      const snapshot = snapshotOf(pools)
      const options = { onlyIntermediates }
      const found = attempt(() => quote(buildGraph(snapshot), order, options))
      const alone = attempt(() => quote(buildGraph(snapshotOf(listed)), order))
      expect(found === undefined).toBe(alone === undefined)
      if (!found || !alone) return
      expect(found.route.every(({ pool }) => listed.includes(pool))).toBe(true)
      expect(recomputeBound(snapshot, order, found.bound!)).toBeLessThanOrEqual(found.bound!.amount)
      expect(alone.amountOut).toBeLessThanOrEqual(found.bound!.amount)
      const { tokenIn, tokenOut } = order
      const wanted = { tokenIn, tokenOut, amountOut: found.amountOut }
      const bought = quoteExactOut(buildGraph(snapshot), wanted, options)
      expect(bought.route.every(({ pool }) => listed.includes(pool))).toBe(true)
    }),
    { numRuns: propertyRuns(100) },
  )
})

it('leaves an answer as it is if every token is listed', () => {
  const pools = [
    pair(1, [1, 2], [E18, E18]),
    pair(2, [2, 3], [E18, E18]),
    pair(3, [1, 3], [E18, E18]),
  ]
  const order = { tokenIn: token(1), tokenOut: token(3), amountIn: E18 / 10n }
  const graph = buildGraph(snapshotOf(pools))
  const { bound, ...free } = quote(graph, order)
  const { bound: listed, ...same } = quote(graph, order, { onlyIntermediates: new Set([token(2)]) })
  expect(same).toEqual(free)
  expect(listed).toEqual({ ...bound, onlyIntermediates: [token(2)] })
  expect(bound).not.toHaveProperty('onlyIntermediates')
})

it('does not pass a further token of a pool of several tokens', () => {
  // The first pool has tokens 1, 2 and 4; the route through its token 4 would pay more.
  const [drawn] = fc.sample(anyStaticStableSwapPool, { numRuns: 1, seed: 1 })
  const several: Pool = {
    ...{ ...drawn!, tokens: [token(1), token(2), token(4)], A: 100n * 100n },
    ...{ balances: [100n * E18, 100n * E18, 100n * E18], rates: [E18, E18, E18] },
  }
  const pools = [several, pair(2, [2, 3], [E18, E18]), pair(4, [4, 3], [20n * E18, 20n * E18])]
  const order = { tokenIn: token(1), tokenOut: token(3), amountIn: E18 / 10n }
  const graph = buildGraph(snapshotOf(pools))
  const passed = (options = {}) => quote(graph, order, options).route.map(({ pool }) => pool.id)
  expect(passed()).toContain(pools[2]!.id)
  expect(passed({ onlyIntermediates: new Set([token(2)]) })).toEqual([several.id, pools[1]!.id])
  expect(() => quote(graph, order, { onlyIntermediates: new Set() })).toThrow(
    expect.objectContaining({ code: 'ROUTE_UNTRUSTED' }),
  )
})
