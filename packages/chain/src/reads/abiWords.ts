// Reads and writes 32-byte ABI words directly: cheaper than a full ABI codec for thousands of
// calls.

import type { Address, Hex } from '@braid-swap/core'
import { sizeOfHex } from '@braid-swap/core/advanced'

/** A 32-byte word of ABI-encoded bytes, counted from 0; throws a RangeError if it is missing. */
export function wordAt(data: Hex, index: number): bigint {
  const start = 2 + index * 64
  if (data.length < start + 64) {
    throw new RangeError(`there is no whole word ${index} in ${sizeOfHex(data)} bytes`)
  }
  return BigInt(`0x${data.slice(start, start + 64)}`)
}

/** A word read as a two's complement int256. */
export function signed(word: bigint): bigint {
  return BigInt.asIntN(256, word)
}

/** A word's low 20 bytes as a lower-case address; throws a RangeError if a higher byte is set. */
export function addressOf(word: bigint): Address {
  if (word >> 160n !== 0n) throw new RangeError(`${word} is not an address`)
  return `0x${word.toString(16).padStart(40, '0')}`
}

/**
 * The elements of an answer that is one ABI list of words; throws a RangeError if it is truncated.
 */
export function listOf(data: Hex): readonly bigint[] {
  const start = Number(wordAt(data, 0) / 32n)
  const length = Number(wordAt(data, start))
  return Array.from({ length }, (_, i) => wordAt(data, start + 1 + i))
}

/** Calldata: a selector followed by integer arguments, one word each, in two's complement. */
export function callData(selector: Hex, ...args: readonly (bigint | number)[]): Hex {
  const words = args.map((arg) => BigInt.asUintN(256, BigInt(arg)).toString(16).padStart(64, '0'))
  return `${selector}${words.join('')}`
}
