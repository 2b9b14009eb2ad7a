import fc from 'fast-check'
import { expect, it } from 'vitest'
import { NATIVE, toHex } from './hex.js'
import { floorAt, floorOf, parseSlippagePpm } from './slippage.js'

it.each([
  ['0', 0],
  ['0.0', 0],
  ['-0', 0],
  ['0e999', 0],
  ['1', 10_000],
  ['1.', 10_000],
  ['.5', 5_000],
  ['0.30000000000000004', 3_000],
  ['0.00009999', 0],
  ['0.0001', 1],
  ['1e-7', 0],
  ['5E+1', 500_000],
  ['50.000000', 500_000],
  ['1e-9999', 0],
])('%s percent is %i ppm', (text, ppm) => {
  expect(parseSlippagePpm(text)).toBe(ppm)
})

it.each([
  '',
  '.',
  'e5',
  '+',
  '-1',
  '50.00000000000000001',
  '51',
  '1e2',
  '1e9999',
  ' 1',
  '1 ',
  '0x1',
])('"%s" is refused', (text) => {
  expect(parseSlippagePpm(text)).toBeUndefined()
})

it('rejects a text longer than any reasonable number', () => {
  expect(parseSlippagePpm(`0.${'0'.repeat(200)}1`)).toBeUndefined()
})

it('reads every decimal from 0 to 50 exactly as integer arithmetic does', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 50n * 10n ** 12n }), (trillionths) => {
      const digits = trillionths.toString().padStart(13, '0')
      const text = `${digits.slice(0, -12)}.${digits.slice(-12)}`
      expect(parseSlippagePpm(text)).toBe(Number(trillionths / 10n ** 8n))
    }),
  )
})

it('reads numbers as JavaScript prints them, with or without an exponent, within one ppm', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 50, noNaN: true }), (x) => {
      const ppm = parseSlippagePpm(`${x}`)
      expect(Math.abs((ppm ?? -9) - x * 10_000)).toBeLessThanOrEqual(1)
      expect(ppm).toBeLessThanOrEqual(Math.ceil(x * 10_000))
    }),
  )
})

it('gives the smallest floor that is not below the output less the slippage', () => {
  const amounts = fc.bigInt({ min: 1n, max: 1n << 256n })
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 500_000 }), (amount, ppm) => {
      const floor = floorAt(amount, BigInt(ppm))
      const left = amount * BigInt(1_000_000 - ppm)
      expect(floor * 1_000_000n).toBeGreaterThanOrEqual(left)
      expect((floor - 1n) * 1_000_000n).toBeLessThan(left)
    }),
  )
  expect(floorAt(0n, 0n)).toBe(1n)
})

it('lowers the floor of every route but a bare wrap, which is 1:1', () => {
  const [wrapped, other] = [toHex(0x55, 20), toHex(0xa, 20)]
  const hop = (...tokens: readonly [`0x${string}`, `0x${string}`]) => ({ pool: { tokens } })
  const wrap = fc.constantFrom(hop(NATIVE, wrapped), hop(wrapped, NATIVE))
  const swap = fc.constantFrom(hop(wrapped, other), hop(other, wrapped))
  const amounts = fc.bigInt({ min: 1n, max: 1n << 256n })
  const slippages = fc.bigInt({ min: 0n, max: 500_000n })
  fc.assert(
    fc.property(fc.array(wrap), fc.array(swap), amounts, slippages, (wraps, swaps, amount, ppm) => {
      const quote = { amountOut: amount, route: [...wraps, ...swaps, ...wraps] }
      const floor = swaps.length === 0 ? amount : floorAt(amount, ppm)
      expect(floorOf(quote, ppm)).toBe(floor)
    }),
  )
})
