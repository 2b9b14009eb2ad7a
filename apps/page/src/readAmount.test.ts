import { parseAmount } from '@braid-swap/client'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldText } from './format.js'
import { readAmount, toUnambiguous } from './readAmount.js'

const valuesOf = (text: string): readonly string[] => {
  const reading = readAmount(text)
  if (reading.is === 'amount') return [reading.value]
  return reading.is === 'doubtful' ? reading.values : []
}

describe('an amount without doubt', () => {
  it.each([
    ['2500', '2500'],
    ['0.125', '0.125'],
    ['.5', '0.5'],
    ['3.', '3'],
    ['007', '7'],
    ['1.5', '1.5'],
    ['1.50', '1.5'],
    ['1.2345', '1.2345'],
    ['1234.567', '1234.567'],
    // Two different signs: the last one stands before the fraction.
    ['1,000.5', '1000.5'],
    ['1.000,5', '1000.5'],
    ['1.234,567', '1234.567'],
    // A fraction begins only once, so what stands twice separates groups.
    ['1,000,000', '1000000'],
    ['1.000.000', '1000000'],
    // No group begins with a zero.
    ['0,5', '0.5'],
    ['0,500', '0.5'],
    [',5', '0.5'],
    // Signs that no convention puts before a fraction.
    ['1 000', '1000'],
    ['1\u00a0000,5', '1000.5'],
    ["1'000.5", '1000.5'],
    ['1_000_000', '1000000'],
  ])('%j is %s', (text, value) => {
    expect(readAmount(text)).toEqual({
      is: 'amount',
      value,
      isRewritten: /[^\d.]|\..*\./.test(text),
    })
  })
})

describe('an amount in doubt is asked about', () => {
  it.each([
    ['1,5', ['1.5', '15']],
    ['1,000', ['1000', '1']],
    ['1.000', ['1', '1000']],
    ['12.345', ['12.345', '12345']],
    ['1,50', ['1.5', '150']],
    ['1,0000', ['1', '10000']],
    // Groups that no convention makes: the only guess is still a guess.
    ['1 5', ['15']],
    ['1,00,000', ['100000']],
    ['1,5.25', ['15.25']],
  ])('%j may be any of %j', (text, values) => {
    const reading = readAmount(text)
    expect(reading.is).toBe('doubtful')
    expect([...valuesOf(text)].sort()).toEqual([...values].sort())
  })
})

it.each([
  'x',
  '-1',
  '+1',
  '1e3',
  '0x10',
  '1.5.3',
  '1.5,3',
  '1..5',
  '1,,5',
  '١',
  '１',
  "1 000'000,5",
  '$5',
])('%j is unreadable', (text) => {
  expect(readAmount(text)).toEqual({ is: 'unreadable' })
})

it.each(['', ' ', '.', ','])('%j is empty', (text) => {
  expect(readAmount(text)).toEqual({ is: 'empty' })
})

describe('for every amount', () => {
  const wei = fc.bigInt({ min: 0n, max: 10n ** 36n })
  const decimals = fc.integer({ min: 0, max: 24 })

  it('what the page writes into the field is read back to the wei, without doubt', () => {
    fc.assert(
      fc.property(wei, decimals, (amount, places) => {
        const reading = readAmount(fieldText(amount, places))
        if (reading.is !== 'amount') throw new Error(`read as ${reading.is}`)
        expect(parseAmount(reading.value, places)).toBe(amount)
      }),
    )
  })

  // The browser's own number formats are the judge: they know nothing of this parser.
  it('what any country writes is read as that amount, or asked about with it among the answers', () => {
    const countries = fc.constantFrom('en-US', 'de-DE', 'fr-FR', 'de-CH', 'pt-BR', 'sv-SE', 'pl-PL')
    const numbers = fc.tuple(fc.nat(2_000_000_000), fc.nat(999_999)).map(([whole, part]) => {
      return Number(`${whole}.${String(part).padStart(6, '0')}`)
    })
    fc.assert(
      fc.property(numbers, countries, fc.integer({ min: 0, max: 6 }), (number, country, digits) => {
        const exact = Number(number.toFixed(digits))
        const text = exact.toLocaleString(country, { maximumFractionDigits: digits })
        expect(valuesOf(text).map(Number)).toContain(exact)
      }),
    )
  })

  it('an answer to the question is never doubtful again', () => {
    const texts = fc.string({ unit: fc.constantFrom(..."0123456789.,' _"), maxLength: 12 })
    fc.assert(
      fc.property(texts, (text) => {
        for (const value of valuesOf(text)) {
          expect(readAmount(toUnambiguous(value))).toMatchObject({ is: 'amount', value })
        }
      }),
    )
  })

  it('a comma or a point alone is never dropped in silence', () => {
    const parts = fc.tuple(fc.integer({ min: 1, max: 99_999 }), fc.stringMatching(/^\d{1,8}$/))
    fc.assert(
      fc.property(parts, fc.constantFrom(',', '.'), ([whole, rest], sign) => {
        const reading = readAmount(`${whole}${sign}${rest}`)
        if (reading.is === 'amount') expect(Number(reading.value)).toBe(Number(`${whole}.${rest}`))
        else expect(reading.is).toBe('doubtful')
      }),
    )
  })
})
