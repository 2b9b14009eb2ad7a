import type { Address, Hex } from '@braid-swap/core'

/** The `index`-th 32-byte word of ABI-encoded bytes; throws a RangeError if it is not there. */
export function wordAt(data: Hex, index: number): bigint {
  const start = 2 + index * 64
  if (data.length < start + 64) {
    throw new RangeError(`needs ${index + 1} words, got ${(data.length - 2) / 64}`)
  }
  return BigInt(`0x${data.slice(start, start + 64)}`)
}

/** A word read as a two's complement int256. */
export function signed(word: bigint): bigint {
  return BigInt.asIntN(256, word)
}

/** A word's low 20 bytes as a lower-case address; throws a RangeError if anything stands above them. */
export function addressOf(word: bigint): Address {
  if (word >> 160n !== 0n) throw new RangeError(`${word} is no address`)
  return `0x${word.toString(16).padStart(40, '0')}`
}

/** The words of the one list that an answer is; throws a RangeError if it is cut short. */
export function listOf(data: Hex): readonly bigint[] {
  const start = Number(wordAt(data, 0) / 32n)
  const length = Number(wordAt(data, start))
  return Array.from({ length }, (_, i) => wordAt(data, start + 1 + i))
}

/** Four selector bytes followed by integer arguments, each a word; negative ones in two's complement. */
export function callData(selector: Hex, ...args: readonly (bigint | number)[]): Hex {
  const words = args.map((arg) => BigInt.asUintN(256, BigInt(arg)).toString(16).padStart(64, '0'))
  return `${selector}${words.join('')}`
}
