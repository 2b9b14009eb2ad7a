import fc from 'fast-check'
import { encodeAbiParameters, encodeFunctionData, parseAbi, toFunctionSelector } from 'viem'
import { describe, expect, it } from 'vitest'
import { addressOf, callData, listOf, signed, wordAt } from './abiWords.js'

const abi = parseAbi(['function f(int16 a, address b, uint256 c)'])
const int16 = fc.integer({ min: -32768, max: 32767 })
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const address = fc
  .bigInt({ min: 0n, max: 2n ** 160n - 1n })
  .map((value) => `0x${value.toString(16).padStart(40, '0')}` as const)

describe('callData', () => {
  it('equals the encoding of viem', () => {
    fc.assert(
      fc.property(int16, address, uint256, (a, b, c) => {
        const selector = toFunctionSelector('function f(int16,address,uint256)')
        expect(callData(selector, a, BigInt(b), c)).toBe(
          encodeFunctionData({ abi, args: [a, b, c] }),
        )
      }),
    )
  })
})

describe('wordAt', () => {
  it('reads what viem encodes', () => {
    fc.assert(
      fc.property(int16, address, uint256, (a, b, c) => {
        const types = [{ type: 'int16' }, { type: 'address' }, { type: 'uint256' }] as const
        const data = encodeAbiParameters(types, [a, b, c])
        expect(signed(wordAt(data, 0))).toBe(BigInt(a))
        expect(addressOf(wordAt(data, 1))).toBe(b)
        expect(wordAt(data, 2)).toBe(c)
      }),
    )
  })

  it('throws if there is no whole word', () => {
    expect(() => wordAt('0x', 0)).toThrow(RangeError)
    expect(() => wordAt(`0x${'00'.repeat(63)}`, 1)).toThrow(
      new RangeError('there is no whole word 1 in 63 bytes'),
    )
  })

  it('refuses an address of more than 20 bytes', () => {
    expect(() => addressOf(1n << 160n)).toThrow(RangeError)
  })
})

describe('listOf', () => {
  it('reads what viem encodes, and nothing of a list that was cut', () => {
    fc.assert(
      fc.property(fc.array(uint256, { maxLength: 5 }), (list) => {
        const data = encodeAbiParameters([{ type: 'uint256[]' }], [list])
        expect(listOf(data)).toEqual(list)
        const cut = data.slice(0, -64) as typeof data
        expect(() => listOf(cut)).toThrow(RangeError)
      }),
    )
  })
})
