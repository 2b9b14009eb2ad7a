import { expect, it } from 'vitest'
import { amountDigits, amountWords, percentWords, usdWords } from './words.js'

it.each([
  [1_250_500_000n, 6, '1,250.5'],
  [1_234_567_890_123n, 6, '1,234,567.8'],
  [123n, 18, '0.000000000000000123'],
  [0n, 6, '0'],
  [999_999_999_999n, 0, '999,999,999,999'],
])('%s wei with %s decimals are %s', (wei, decimals, text) => {
  expect(amountDigits(wei, decimals)).toBe(text)
  expect(amountWords(wei, { symbol: 'X', decimals })).toBe(`${text} X`)
})

it.each([
  [0, '0.00 %'],
  [0.4, '< 0.01 %'],
  [5_573.1899999999996, '55.73 %'],
  [10_000, '100.00 %'],
])('%s basis points are %s', (bps, text) => expect(percentWords(bps)).toBe(text))

it.each([
  [8_091_670.004, '$8,091,670.00'],
  [0.5, '$0.50'],
  [0.1234, '$0.1234'],
  [0.00001, '< $0.0001'],
  [0, '$0.00'],
  [2e15, '$2.00e15'],
])('%s dollars are %s', (usd, text) => expect(usdWords(usd)).toBe(text))
