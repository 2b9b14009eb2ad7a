import fc from 'fast-check'
import { formatUnits } from 'viem'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { decimalParameter, toWei } from './decimals.js'

const schema = z.object({ amount: decimalParameter('amount') })
const read = (amount: string, decimals: number) =>
  toWei(schema.parse({ amount }).amount, { path: 'amount', decimals })

it('reads every amount that is written with the decimals of its token, to the wei', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 1n << 128n), fc.integer({ min: 0, max: 36 }), (wei, decimals) => {
      expect(read(formatUnits(wei, decimals), decimals)).toBe(wei)
    }),
  )
})

it.each([
  ['0.9', 8, 90_000_000n],
  ['1', 18, 10n ** 18n],
  ['1e-7', 18, 10n ** 11n],
  ['1.5E3', 6, 1_500_000_000n],
  ['2.500000000', 1, 25n],
  ['.5', 6, 500_000n],
  ['5.', 6, 5_000_000n],
])('reads %s with %d decimals', (text, decimals, wei) => {
  expect(read(text, decimals)).toBe(wei)
})

it.each(['0.0000001', '1e-7', '1.0000001'])('refuses %s, which is no whole wei', (text) => {
  expect(() => read(text, 6)).toThrow('amount must have at most 6 decimals')
})

it.each(['', '.', 'e5', '-1', '+1', '0x10', '1,5', '1e999', 'NaN', '9'.repeat(101)])(
  'refuses %j, which is no decimal number',
  (amount) => {
    expect(schema.safeParse({ amount }).success).toBe(false)
  },
)
