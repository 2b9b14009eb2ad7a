import { describe, expect, it } from 'vitest'
import { toMarket } from '../market.js'
import { madeAddress, makePair, toSnapshot } from '../markets/build.js'
import { isServable } from './servable.js'

// A chain of seven tokens: token k is k hops from token 0.
const tokens = Array.from({ length: 7 }, (_, n) => ({
  address: madeAddress('token', n),
  decimals: 18,
  price: 1,
}))
const pools = tokens
  .slice(1)
  .map((token, n) => makePair({ n, ends: [tokens[n]!, token], depth: 100, feePpm: 3000 }))
const market = toMarket('chain', toSnapshot(tokens, pools), tokens[1]!.address)
const tokenIn = tokens[0]!.address

describe('the exhaustive search', () => {
  it('finds pairs up to the number of hops apart, and no others', () => {
    const isServed = (k: number, amountIn = 10n ** 18n) =>
      isServable(market, { tokenIn, tokenOut: tokens[k]!.address, amountIn }, 5)
    expect([1, 2, 3, 4, 5, 6].map((k) => isServed(k))).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ])
    // The fee takes all of one wei.
    expect(isServed(1, 1n)).toBe(false)
  })

  it('takes no path that returns to a token', () => {
    expect(isServable(market, { tokenIn, tokenOut: tokenIn, amountIn: 10n ** 18n }, 5)).toBe(false)
  })
})
