import { expect, it } from 'vitest'
import { NATIVE, sizeOfHex, toHex, wrappedOf, ZERO_ADDRESS } from './hex.js'

it('the zero address is 20 zero bytes', () => {
  expect(sizeOfHex(ZERO_ADDRESS)).toBe(20)
  expect(BigInt(ZERO_ADDRESS)).toBe(0n)
})

it('the native token is traded as the wrapped one, every other token as itself', () => {
  const [wrapped, other] = [toHex(0x55, 20), toHex(0xa, 20)]
  expect(wrappedOf(NATIVE, wrapped)).toBe(wrapped)
  expect(wrappedOf(wrapped, wrapped)).toBe(wrapped)
  expect(wrappedOf(other, wrapped)).toBe(other)
  expect(wrappedOf(ZERO_ADDRESS, wrapped)).toBe(ZERO_ADDRESS)
})
