import { type Address, NATIVE } from '@braid-swap/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PageToken } from '../format.js'
import { worthOf } from './valuation.js'

const usdc: Address = `0x${'b8'.repeat(20)}`
const ubtc: Address = `0x${'9f'.repeat(20)}`
const token = (address: Address, symbol: string, decimals: number): [Address, PageToken] => [
  address,
  { address, symbol, name: symbol, decimals, verified: true },
]
const tokens = new Map([token(NATIVE, 'HYPE', 18), token(usdc, 'USDC', 6), token(ubtc, 'UBTC', 8)])
const usdTokens = [usdc]
const HYPE = 10n ** 18n

describe('the dollars of an order', () => {
  it('of 2,500 HYPE do not lose a percent because a small sale of HYPE pays more', () => {
    // As a devnet answered: a small sale makes 40.45 a HYPE, this one 39.995.
    const prices = new Map([
      [NATIVE, 40.45],
      [usdc, 1],
    ] as const)
    const order = { src: NATIVE, dst: usdc, amount: 2_500n * HYPE }
    const quote = { dstAmount: 99_987_603_340n, spotDstAmount: 100_049_333_000n }
    const { pay, receive } = worthOf(order, quote, { prices, tokens, usdTokens })
    expect(receive).toBeCloseTo(99_987.6, 1)
    expect(receive! / pay!).toBeCloseTo(1 - 0.000617, 6)
  })

  it('use the price of the dollar token if there is one, else of the output token', () => {
    const prices = new Map([
      [NATIVE, 40],
      [usdc, 1],
      [ubtc, 100_000],
    ] as const)
    const valued = (src: Address, dst: Address, amount: bigint, out: bigint) =>
      worthOf(
        { src, dst, amount },
        { dstAmount: out, spotDstAmount: out },
        { prices, tokens, usdTokens },
      )
    expect(valued(usdc, NATIVE, 1_000_000_000n, 24n * HYPE).receive).toBeCloseTo(1_000, 9)
    expect(valued(NATIVE, usdc, HYPE, 39_000_000n).pay).toBeCloseTo(39, 9)
    expect(valued(NATIVE, ubtc, 2_500n * HYPE, 99_000_000n).pay).toBeCloseTo(99_000, 6)
  })

  it('differ only by the price impact, at every price, size and impact', () => {
    const cases = fc.record({
      price: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
      spot: fc.bigInt({ min: 10n ** 6n, max: 10n ** 15n }),
      impact: fc.integer({ min: 0, max: 9_999 }),
      anchor: fc.constantFrom(NATIVE, usdc),
    })
    fc.assert(
      fc.property(cases, ({ price, spot, impact, anchor }) => {
        const out = (spot * BigInt(10_000 - impact)) / 10_000n
        const order = { src: NATIVE, dst: usdc, amount: HYPE }
        const prices = new Map([[anchor, price]])
        const by = { prices, tokens, usdTokens }
        const { pay, receive } = worthOf(order, { dstAmount: out, spotDstAmount: spot }, by)
        expect(receive! / pay!).toBeCloseTo(Number(out) / Number(spot), 9)
      }),
    )
  })

  it('cover one side only if the rates before the order are unknown', () => {
    const order = { src: NATIVE, dst: usdc, amount: HYPE }
    const quote = { dstAmount: 40_000_000n, spotDstAmount: undefined }
    const by = (address: Address) => ({ prices: new Map([[address, 1]]), tokens, usdTokens })
    expect(worthOf(order, quote, by(usdc))).toEqual({ receive: 40, perDst: 1 })
    expect(worthOf(order, quote, by(NATIVE))).toEqual({ pay: 1 })
    expect(worthOf(order, quote, by(ubtc))).toEqual({})
  })
})
