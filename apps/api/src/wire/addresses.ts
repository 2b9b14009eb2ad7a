import { type Address, NATIVE } from '@braid-swap/core'
import { getAddress, isAddress } from 'viem'

/** An address as responses show it: EIP-55, except the native token, which is in lower case. */
export function showAddress(address: Address): string {
  return address === NATIVE ? NATIVE : getAddress(address)
}

/** True if an address is mixed-case and its EIP-55 checksum is wrong. */
export function isChecksumWrong(text: string): boolean {
  const digits = text.slice(2)
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return !isOneCase && !isAddress(text) && text.toLowerCase() !== NATIVE
}
