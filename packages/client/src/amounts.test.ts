import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BadAmountError, formatAmount, parseAmount, shortAmount } from './amounts.js'

const anyDecimals = fc.integer({ min: 0, max: 36 })
const anyWei = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n })

describe('amounts', () => {
  it('round-trip through text, for every wei and every number of decimals', () => {
    fc.assert(
      fc.property(anyWei, anyDecimals, (wei, decimals) => {
        expect(parseAmount(formatAmount(wei, decimals), decimals)).toBe(wei)
      }),
    )
  })

  it('accept insignificant zeros', () => {
    expect(parseAmount('001.500000000', 6)).toBe(1_500_000n)
    expect(parseAmount(' 7 ', 0)).toBe(7n)
  })

  it.each(['', '.', '1.', '.5', '-1', '+1', '1e3', '1,5', '0x10', '1_000', '1 000', '١'])(
    'refuse %j',
    (text) => expect(() => parseAmount(text, 18)).toThrow(BadAmountError),
  )

  it('refuse more decimals than the token has instead of rounding', () => {
    expect(() => parseAmount('0.0000001', 6)).toThrow('more decimals than the token has')
  })

  it('are refused or formatted back to the same number, for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789.-e '), maxLength: 9 }),
        (text) => {
          let wei: bigint
          try {
            wei = parseAmount(text, 6)
          } catch (error) {
            expect(error).toBeInstanceOf(BadAmountError)
            return
          }
          expect(Number(formatAmount(wei, 6))).toBe(Number(text))
        },
      ),
    )
  })

  it('are shortened by truncation, with a mark', () => {
    expect(shortAmount(1_999_999_999_999n, 6)).toBe('1999999.9…')
    expect(shortAmount(1_500_000n, 6)).toBe('1.5')
    expect(shortAmount(123_456_789_123n, 18)).toBe('0.00000012345678…')
    expect(shortAmount(123_456_789_123_456n, 6, 4)).toBe('123456789…')
  })
})
