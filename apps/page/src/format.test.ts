import { formatAmount } from '@braid-swap/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  amountText,
  bpsText,
  partText,
  shortfallBps,
  symbolOf,
  usdText,
  withSymbol,
} from './format.js'

describe('amountText', () => {
  it.each([
    [0n, 6, '0'],
    [1_234_567_890_123n, 6, '1,234,567.8'],
    [1_500_000n, 6, '1.5'],
    [123n, 18, '0.000000000000000123'],
    [10n ** 30n, 18, '1,000,000,000,000'],
  ])('%s with %s decimals is %s', (wei, decimals, text) => {
    expect(amountText(wei, decimals)).toBe(text)
  })

  it('never shows more than the amount', () => {
    const cases = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 0, max: 24 }))
    fc.assert(
      fc.property(cases, ([wei, decimals]) => {
        const shown = amountText(wei, decimals).replaceAll(',', '')
        const exact = formatAmount(wei, decimals)
        expect(exact.startsWith(shown) || shown === exact).toBe(true)
      }),
    )
  })
})

it('formats basis points with two digits, and shares with the significant ones', () => {
  expect([0, 0.001, 0.5, 12, 129.4].map(bpsText)).toEqual([
    ...['0.00 %', '< 0.01 %', '< 0.01 %', '0.12 %', '1.29 %'],
  ])
  expect([1, 0.4081, 0.0123, 0.00001, 0].map(partText)).toEqual([
    ...['100 %', '40.8 %', '1.23 %', '< 0.01 %', '0 %'],
  ])
  expect([shortfallBps(9_990n, 10_000n), shortfallBps(5n, 0n)]).toEqual([10, 0])
})

it.each([
  [0, '$0.00'],
  [0.00009, '< $0.0001'],
  [0.0001, '$0.0001'],
  [0.123456, '$0.1235'],
  [-0.5, '$-0.50'],
  [1, '$1.00'],
  [1.23456, '$1.23'],
  [999_999_999_999_999, '$999,999,999,999,999.00'],
  [1e15, '$1.00e15'],
  [-1e15, '$-1.00e15'],
])('%s dollars are %s', (usd, text) => {
  expect(usdText(usd)).toBe(text)
})

it.each([
  ['', '0x444444…444444'],
  [' ', '0x444444…444444'],
  ['CAT', 'CAT'],
  ['PT-kHYPE-13NOV2025', 'PT-kHYPE-13NOV2025'],
  ['US\u00a0DC', 'USDC'],
  ['verified by your wallet: approve it', 'verifiedbyyourwallet…'],
])('a token with the symbol “%s” is called %s', (symbol, shown) => {
  const token = { address: `0x${'4'.repeat(40)}` as const, symbol, name: '', decimals: 6 }
  expect(withSymbol({ ...token, verified: false }).symbol).toBe(shown)
})

it('a token has no name until the symbols are loaded, and its address if it has no symbol', () => {
  const of = `0x${'4'.repeat(40)}` as const
  const other = `0x${'5'.repeat(40)}` as const
  const token = { address: of, symbol: 'CAT', name: '', decimals: 6, verified: true }
  expect(symbolOf(of, new Map())).toBe('…')
  expect(symbolOf(of, new Map([[of, token]]))).toBe('CAT')
  expect(symbolOf(other, new Map([[of, token]]))).toBe('0x555555…555555')
})
