import { type Address, NATIVE } from '@braid-swap/core'
import { getAddress, isAddress } from 'viem'

/** An address as responses show it: EIP-55, and the native token in lower case as the interface has it. */
export function showAddress(address: Address): string {
  return address === NATIVE ? NATIVE : getAddress(address)
}

/** Whether the case of an address claims an EIP-55 checksum and it is the wrong one. */
export function isChecksumWrong(text: string): boolean {
  const digits = text.slice(2)
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return !isOneCase && !isAddress(text) && text.toLowerCase() !== NATIVE
}
