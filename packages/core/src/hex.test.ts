import { expect, it } from 'vitest'
import { sizeOfHex, ZERO_ADDRESS } from './hex.js'

it('the zero address is 20 zero bytes', () => {
  expect(sizeOfHex(ZERO_ADDRESS)).toBe(20)
  expect(BigInt(ZERO_ADDRESS)).toBe(0n)
})
