import type { Hex } from '@braid-swap/core'
import fc from 'fast-check'
import {
  AbiDecodingDataSizeTooSmallError,
  encodeFunctionData,
  encodeFunctionResult,
  multicall3Abi,
} from 'viem'
import { expect, it } from 'vitest'
import { decodeAggregate3, encodeAggregate3 } from './aggregate3.js'

const bytes = (size: fc.ArrayConstraints): fc.Arbitrary<Hex> =>
  fc.uint8Array(size).map((array): Hex => `0x${Buffer.from(array).toString('hex')}`)
const functionName = 'aggregate3'

it('writes the calldata that viem writes', () => {
  const call = fc.record({
    target: bytes({ minLength: 20, maxLength: 20 }),
    allowFailure: fc.boolean(),
    callData: bytes({ maxLength: 100 }),
  })
  fc.assert(
    fc.property(fc.array(call), (calls) => {
      const encoded = encodeFunctionData({ abi: multicall3Abi, functionName, args: [calls] })
      expect(encodeAggregate3(calls)).toBe(encoded)
    }),
  )
})

const results = fc.array(
  fc.record({ success: fc.boolean(), returnData: bytes({ maxLength: 100 }) }),
)
const encode = (result: readonly { readonly success: boolean; readonly returnData: Hex }[]) =>
  encodeFunctionResult({ abi: multicall3Abi, functionName, result })

it('reads the results that viem writes', () => {
  fc.assert(
    fc.property(results, (list) => {
      expect(decodeAggregate3(encode(list))).toEqual(list)
    }),
  )
})

it('refuses an answer that was cut, and one whose offset or length is beyond its end', () => {
  const answer = encode([{ success: true, returnData: '0x1234' }])
  const whole = answer.length - 2 * 30
  for (const length of [2, 66, 130, 194, whole - 2]) {
    expect(() => decodeAggregate3(answer.slice(0, length) as Hex)).toThrow(
      AbiDecodingDataSizeTooSmallError,
    )
  }
  for (const index of [0, 1, 2, 4, 5]) {
    const start = 2 + 64 * index
    const far = `${answer.slice(0, start)}${'f'.repeat(64)}${answer.slice(start + 64)}`
    expect(() => decodeAggregate3(far as Hex)).toThrow(AbiDecodingDataSizeTooSmallError)
  }
})
