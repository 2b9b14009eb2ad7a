/** A 0x-prefixed string of hex digits. */
export type Hex = `0x${string}`

/** A 20-byte address; lower case everywhere inside core, so that `===` compares addresses. */
export type Address = Hex

/** The placeholder address of the chain's native token, accepted wherever a token address is. */
export const NATIVE: Address = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'

/** The ERC-20 token that pools trade for `token`: the wrapped token for {@link NATIVE}, else itself. */
export function wrappedOf(token: Address, wrappedNative: Address): Address {
  return token === NATIVE ? wrappedNative : token
}

/** The zero address. As the receiver in router calldata it means the sender of the transaction. */
export const ZERO_ADDRESS: Address = `0x${'0'.repeat(40)}`

/** Joins hex strings into one. */
export function concatHex(...parts: readonly Hex[]): Hex {
  return `0x${parts.map((part) => part.slice(2)).join('')}`
}

/** Big-endian hex of an unsigned integer in exactly `bytes` bytes; throws if it does not fit. */
export function toHex(value: bigint | number, bytes: number): Hex {
  const digits = BigInt(value).toString(16)
  if (value < 0 || digits.length > bytes * 2) {
    throw new RangeError(`${value} does not fit in ${bytes} unsigned bytes`)
  }
  return `0x${digits.padStart(bytes * 2, '0')}`
}

/** The bytes `[start, end)` of a hex string; throws if it is shorter. */
export function sliceHex(hex: Hex, start: number, end: number): Hex {
  if (hex.length < 2 + end * 2) {
    throw new RangeError(`needs ${end} bytes, got ${(hex.length - 2) / 2}`)
  }
  return `0x${hex.slice(2 + start * 2, 2 + end * 2)}`
}

/** Number of bytes in a hex string. */
export function sizeOfHex(hex: Hex): number {
  return (hex.length - 2) / 2
}
