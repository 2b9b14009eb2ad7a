import { formatAmount } from '@braid-swap/draw'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountText, bpsText, partText, shortfallBps, withSymbol } from './format.js'

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

it('formats basis points and shares with the significant digits', () => {
  expect([0, 0.001, 0.5, 12, 129.4].map(bpsText)).toEqual([
    ...['< 0.0001 %', '< 0.0001 %', '0.0050 %', '0.12 %', '1.29 %'],
  ])
  expect([1, 0.4081, 0.0123, 0.00001, 0].map(partText)).toEqual([
    ...['100 %', '40.8 %', '1.23 %', '< 0.01 %', '0 %'],
  ])
  expect([shortfallBps(9_990n, 10_000n), shortfallBps(5n, 0n)]).toEqual([10, 0])
})

it.each([
  ['', '0x444444…444444'],
  [' ', '0x444444…444444'],
  ['CAT', 'CAT'],
])('a token with the symbol “%s” is called %s', (symbol, shown) => {
  const token = { address: `0x${'4'.repeat(40)}` as const, symbol, name: '', decimals: 6 }
  expect(withSymbol({ ...token, verified: false }).symbol).toBe(shown)
})
