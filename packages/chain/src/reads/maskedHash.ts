// The hash of a contract's code without the values that its constructor wrote into it (immutables), in
// one `eth_call`: a program that runs on the node copies the code, overwrites those words with zeros and
// hashes it. It recognises one published contract, whatever it was deployed for.

import { type Address, type Hex, toHex } from '@braid-swap/core'
import type { Call } from './call.js'

/**
 * The call for the hash of the code of `to` with zeros in the 32-byte words at these offsets, as
 * creation code, because `eth_call` without a recipient returns what such code returns. Before the hash
 * it returns the block's number, its parent's hash and its time. The hash of no code is that of nothing.
 */
export function maskedHashCall(to: Address, offsets: readonly number[]): Call {
  const code = `73 ${to.slice(2)}`
  const program = [
    // All of the code to memory 0.
    `${code} 3b 6000 6000 ${code} 3c`,
    // Zeros over each word.
    ...offsets.map((offset) => `6000 ${`61${toHex(offset, 2).slice(2)}`} 52`),
    // The hash to 0x60, after the block's number, its parent's hash and its time.
    `${code} 3b 6000 20 6060 52`,
    '43 6000 52  6001 43 03 40 6020 52  42 6040 52',
    '6080 6000 f3',
  ]
  const data: Hex = `0x${program.join('').replaceAll(' ', '')}`
  return { to, data, isProgram: true, mayFail: true }
}

/** The hash in an answer to {@link maskedHashCall}; `0x` if the node did not run the program. */
export function hashOf(answer: Hex): Hex {
  return answer === '0x' ? answer : `0x${answer.slice(2 + 3 * 64)}`
}
