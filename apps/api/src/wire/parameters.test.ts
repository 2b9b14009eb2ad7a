import { toHex } from '@braid-swap/core/advanced'
import fc from 'fast-check'
import { getAddress, maxUint256 } from 'viem'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ApiError } from '../errors.js'
import { isChecksumWrong, showAddress } from './addresses.js'
import { addressParameter, amountParameter } from './parameters.js'
import { readParameters } from './readParameters.js'

const amounts = z.object({ amount: amountParameter('any', { allowZero: false, max: maxUint256 }) })
const addresses = z.object({
  address: addressParameter('any', { strictChecksum: false, isToken: true }),
})
const strict = z.object({
  address: addressParameter('any', { strictChecksum: true, isToken: true }),
})
const codeOf = (read: () => unknown): string | undefined => {
  try {
    read()
  } catch (error) {
    return error instanceof ApiError ? error.code : String(error)
  }
  return undefined
}
const anyAddress = fc.bigInt({ min: 1n, max: 2n ** 160n - 1n }).map((value) => toHex(value, 20))

describe('amounts', () => {
  it('every integer from 1 to 2^256 - 1 is read to the wei, leading zeros or not', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: maxUint256 }), fc.nat(5), (amount, zeros) => {
        const text = `${'0'.repeat(zeros)}${amount}`
        fc.pre(text.length <= 78)
        expect(readParameters(amounts, { amount: text }, 'query').values.amount).toBe(amount)
      }),
    )
  })

  it('any other text is refused with a code, never read as a number', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 90 }), (text) => {
        fc.pre(!/^[0-9]+$/.test(text))
        expect(codeOf(() => readParameters(amounts, { amount: text }, 'query'))).toBe(
          'INVALID_AMOUNT',
        )
      }),
    )
  })

  it('above 2^256 - 1 is out of range', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: maxUint256 + 1n, max: 10n ** 200n }), (amount) => {
        expect(codeOf(() => readParameters(amounts, { amount: `${amount}` }, 'query'))).toBe(
          'AMOUNT_OUT_OF_RANGE',
        )
      }),
    )
  })
})

describe('addresses', () => {
  it('are read in any case, and shown with their EIP-55 checksum', () => {
    fc.assert(
      fc.property(anyAddress, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (a, up) => {
        const text = `0x${[...a.slice(2)].map((c, i) => (up[i] ? c.toUpperCase() : c)).join('')}`
        const { address } = readParameters(addresses, { address: text }, 'query').values
        expect(address).toBe(a)
        expect(showAddress(address)).toBe(getAddress(a))
      }),
    )
  })

  it('with strictChecksum: one case or the right checksum, nothing else', () => {
    fc.assert(
      fc.property(anyAddress, (a) => {
        for (const text of [a, `0x${a.slice(2).toUpperCase()}`, getAddress(a)]) {
          expect(codeOf(() => readParameters(strict, { address: text }, 'query'))).toBeUndefined()
        }
        const right = getAddress(a)
        const at = [...right].findIndex((c, i) => i > 1 && /[a-fA-F]/.test(c))
        fc.pre(at !== -1)
        const c = right[at]!
        const flipped = c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()
        const wrong = right.slice(0, at) + flipped + right.slice(at + 1)
        fc.pre(wrong.slice(2) !== wrong.slice(2).toLowerCase())
        fc.pre(wrong.slice(2) !== wrong.slice(2).toUpperCase())
        expect(isChecksumWrong(wrong)).toBe(true)
        expect(codeOf(() => readParameters(strict, { address: wrong }, 'query'))).toBe(
          'INVALID_CHECKSUM',
        )
      }),
    )
  })

  it('any other text is refused', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 50 }), (text) => {
        expect(codeOf(() => readParameters(addresses, { address: text }, 'query'))).toBe(
          'INVALID_ADDRESS',
        )
      }),
    )
  })
})
