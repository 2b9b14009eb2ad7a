import { buildGraph, quote } from '@braid-swap/core'
import { expect, it } from 'vitest'
import { frozenSnapshot, PURR, UBTC, USDC, WHYPE } from '../testing/frozenMarket.js'
import { refusedTokens, withoutTokens } from './refusedTokens.js'

const order = { tokenIn: WHYPE, tokenOut: USDC, amountIn: 20_000n * 10n ** 18n }
const refused = refusedTokens(
  new Map([
    [UBTC, { unsupported: 'paused' }],
    [PURR, {}],
  ]),
)

it('a token that the list says not to trade is no hop on the way to another', () => {
  const tokensOf = (snapshot: typeof frozenSnapshot) =>
    quote(buildGraph(snapshot), order).route.flatMap(({ pool }) => pool.tokens)
  expect(tokensOf(frozenSnapshot)).toContain(UBTC)
  const tradable = withoutTokens(frozenSnapshot, refused)
  expect(tokensOf(tradable)).not.toContain(UBTC)
  // UBTC has two pools; PURR is only listed.
  expect(tradable.pools).toHaveLength(frozenSnapshot.pools.length - 2)
  expect(tradable.tokens).toBe(frozenSnapshot.tokens)
})

it('a list that refuses none leaves the market as it is', () => {
  expect(withoutTokens(frozenSnapshot, refusedTokens(new Map([[PURR, {}]])))).toBe(frozenSnapshot)
})
