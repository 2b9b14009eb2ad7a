import { toHex } from '@braid-swap/core/advanced'
import type { LadderPool } from '@braid-swap/core/families'
import { describe, expect, it } from 'vitest'
import { type PriceGuard, type Prices, splitByPrice } from './priceGuard.js'

const [hype, usdc, other] = [toHex(0xa, 20), toHex(0xb, 20), toHex(0xc, 20)]
const guard: PriceGuard = {
  books: [{ token: hype, asset: 10_107 }],
  units: [usdc],
  maxOffBps: 100,
}
const tokens = [
  { address: hype, decimals: 18 },
  { address: usdc, decimals: 6 },
  { address: other, decimals: 18 },
]
const HYPE = 10n ** 18n
const prices: Prices = new Map([
  [usdc, { bid: 1, offer: 1 }],
  [hype, { bid: 40, offer: 40.02 }],
])

const poolOf = (ladders: LadderPool['ladders'], pair = [hype, usdc] as const): LadderPool => ({
  ...{ family: 'ladder', id: toHex(0x1, 20), venue: 'test', protocol: 'estimateSwap' },
  ...{ tokens: pair, ladders, sampledAt: 1n, quotedAt: 2n },
})
const selling = (dollars: number) => poolOf([[[HYPE, BigInt(dollars * 1e6)]], []])
const buying = (dollars: number) => poolOf([[], [[BigInt(dollars * 1e6), HYPE]]])

const codesOf = (pool: LadderPool, of: Prices = prices) =>
  splitByPrice([pool], { prices: of, tokens, guard }).setAside.map(({ code }) => code)

describe('the price guard', () => {
  it('keeps a pool within the percentage of both sides of the book', () => {
    for (const pool of [selling(40), selling(39.7), selling(40.4), buying(40.02), buying(40.4)]) {
      expect(codesOf(pool)).toEqual([])
    }
  })

  it('sets a pool aside that pays too much or too little, in either direction', () => {
    for (const pool of [selling(39.5), selling(40.5), buying(39.5), buying(40.5)]) {
      expect(codesOf(pool)).toEqual(['POOL_OFF_MARKET'])
    }
  })

  it('states how far the pool is off', () => {
    const { setAside, pools } = splitByPrice([selling(50.025)], { prices, tokens, guard })
    expect(pools).toEqual([])
    expect(setAside[0]!.message).toContain('25.00 %')
  })

  it('measures the first sample that rounding does not blur', () => {
    const blurred = poolOf([
      [
        [10n, 7n],
        [HYPE, 40_000_000n],
      ],
      [],
    ])
    expect(codesOf(blurred)).toEqual([])
  })

  it('keeps a pool of a token without a book, and one that pays nothing', () => {
    expect(codesOf(poolOf([[[HYPE, HYPE]], []], [hype, other]))).toEqual([])
    expect(codesOf(poolOf([[], []]))).toEqual([])
  })

  it('sets a pool aside while the book of a token has no bid or no offer', () => {
    const empty: Prices = new Map([...prices, [hype, undefined]])
    expect(codesOf(selling(40), empty)).toEqual(['POOL_OFF_MARKET'])
  })
})
