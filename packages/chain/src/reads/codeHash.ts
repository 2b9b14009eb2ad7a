// The hash of a contract's code without what differs between deployments of one build: it recognises one published
// contract, whatever it was deployed for.

import type { Address, Hex } from '@braid-swap/core'
import { keccak256 } from 'viem'
import type { Call } from './call.js'

/** The call for the hash of the code at an address, a word; `0x` if there is none. */
export function codeHashCall(to: Address): Call {
  return { to, data: '0x', isCode: true, mayFail: true }
}

const [PUSH1, PUSH32] = [0x60, 0x7f]
const ADDRESS_BITS = 160n
const NUMBER_BITS = 64n

/**
 * keccak256 of the code without the metadata at its end, and with zeros for the addresses that the constructor wrote
 * into it. Solidity pushes such an immutable as 32 bytes, and a constant with as few as it takes: so a 32-byte push of
 * an address is never a constant. Immutable numbers below 2⁶⁴, such as a fee, are part of the hash. The hash of a
 * proxy is that of the proxy, and says nothing of the code behind it. Throws RPC_FAILED.
 */
export function codeHashOf(code: Hex): Hex {
  const bytes = Uint8Array.from(code.slice(2).match(/../g) ?? [], (byte) =>
    Number.parseInt(byte, 16),
  )
  const kept = bytes.slice(0, endOf(bytes))
  for (let i = 0; i < kept.length; i++) {
    const op = kept[i]!
    if (op < PUSH1 || op > PUSH32) continue
    const size = op - PUSH1 + 1
    if (op === PUSH32 && isAddress(kept.subarray(i + 1, i + 1 + size)))
      kept.fill(0, i + 1, i + 1 + size)
    i += size
  }
  return keccak256(kept)
}

function isAddress(operand: Uint8Array): boolean {
  if (operand.length < 32) return false
  const value = operand.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  return value >> ADDRESS_BITS === 0n && value >> NUMBER_BITS !== 0n
}

/** Where the metadata begins, a CBOR map whose length is in the last two bytes; the end of the code without any. */
function endOf(bytes: Uint8Array): number {
  const length = ((bytes.at(-2) ?? 0) << 8) | (bytes.at(-1) ?? 0)
  const start = bytes.length - 2 - length
  const isMap = length > 0 && start >= 0 && bytes[start]! >> 4 === 0xa
  return isMap ? start : bytes.length
}

/** The answer to {@link codeHashCall} for a code. */
export function answerOfCode(code: Hex): Hex {
  return code === '0x' ? code : codeHashOf(code)
}
