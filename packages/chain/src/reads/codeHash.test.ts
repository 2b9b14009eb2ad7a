import type { Hex } from '@braid-swap/core'
import { concatHex, toHex } from '@braid-swap/core/advanced'
import { keccak256 } from 'viem'
import { expect, it } from 'vitest'
import { answerOfCode, codeHashOf } from './codeHash.js'

const push32 = (value: bigint): Hex => `0x7f${toHex(value, 32).slice(2)}`
const ADDRESS = BigInt(`0x${'a1'.repeat(20)}`)
/** A map of CBOR with one entry, and its length. */
const metadata = (byte: number): Hex => concatHex('0xa1', toHex(byte, 8), '0x0009')
const code = (immutable: bigint, { constant = 2n ** 255n, byte = 1 } = {}) =>
  concatHex('0x6001', push32(immutable), push32(constant), '0x00', metadata(byte))

it('is that of one build, whatever addresses and metadata a deployment has', () => {
  const hash = codeHashOf(code(ADDRESS))
  expect(codeHashOf(code(ADDRESS + 1n))).toBe(hash)
  // As an artifact has it, before the constructor wrote the address.
  expect(codeHashOf(code(0n))).toBe(hash)
  expect(codeHashOf(code(ADDRESS, { byte: 2 }))).toBe(hash)
  expect(hash).toBe(keccak256(concatHex('0x6001', push32(0n), push32(2n ** 255n), '0x00')))
})

it('is another for an immutable number, a constant or an instruction', () => {
  const hash = codeHashOf(code(ADDRESS))
  expect(codeHashOf(code(3_000n))).not.toBe(hash)
  expect(codeHashOf(code(ADDRESS, { constant: 2n ** 254n }))).not.toBe(hash)
  expect(codeHashOf(concatHex('0x01', code(ADDRESS)))).not.toBe(hash)
})

it('reads no operand as an instruction, and code that ends in one', () => {
  // The operand of the first push looks like a push of 32 bytes.
  const hidden = (value: bigint) => concatHex('0x607f', toHex(value, 32))
  expect(codeHashOf(hidden(ADDRESS))).toBe(keccak256(hidden(ADDRESS)))
  for (const cut of ['0x7f', '0x7f01', '0x', '0xa1'] as const) {
    expect(codeHashOf(cut)).toBe(keccak256(cut))
  }
})

it('is no answer where there is no code', () => {
  expect(answerOfCode('0x')).toBe('0x')
  expect(answerOfCode('0x00')).toBe(keccak256('0x00'))
})
