import { describe, expect, it } from 'vitest'
import { toMarket } from '../market.js'
import { madeAddress, makePair, toSnapshot } from '../markets/build.js'
import { isServable } from './coverage.js'

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

describe('the exhaustive search of coverage', () => {
  it('finds pairs up to five hops apart, and no others', () => {
    const to = (k: number, amountIn = 10n ** 18n) =>
      isServable(market, { from: tokens[0]!.address, to: tokens[k]!.address, amountIn })
    expect([1, 2, 3, 4, 5, 6].map((k) => to(k))).toEqual([true, true, true, true, true, false])
    // The fee takes all of one wei.
    expect(to(1, 1n)).toBe(false)
  })

  it('takes no path that comes back to a token', () => {
    const [{ address }] = tokens as [(typeof tokens)[number]]
    expect(isServable(market, { from: address, to: address, amountIn: 10n ** 18n })).toBe(false)
  })
})
