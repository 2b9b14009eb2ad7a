// Reads a long row of words from a contract in one `eth_call`: a program that runs on the node asks for
// each and returns those that are not zero. The bitmap of a pool with a tick spacing of 1 has 6,931
// words, nearly all zero; calls for each through Multicall3 are megabytes in both directions.

import { type Address, type Hex, toHex } from '@braid-swap/core'
import type { Call } from './call.js'

/**
 * The program as creation code, because `eth_call` without a recipient returns what such code returns.
 * Its arguments follow it, a word each: the selector, the contract, the first argument, and the end. It
 * returns the block's number, its parent's hash and its time, and then, for each word that is not zero,
 * the argument and the word. It reverts if a call fails or returns less than a word.
 */
const PROGRAM = [
  // The arguments to memory 0x80, and the selector to 0, where the calldata begins.
  '6080 6080 38 03 6080 39  6080 51 6000 52',
  // The head of the result to 0x100.
  '43 610100 52  6001 43 03 40 610120 52  42 610140 52',
  // Stack: the end of the result, and the argument i. Byte 0x28 begins the loop.
  '610160 60c0 51',
  // Until i is the end: call with i, and the answer to 0x40.
  '5b 60e0 51 81 14 6069 57  80 6004 52',
  '6020 6040 6024 6000 60a0 51 5a fa  601f 3d 11 16 15 6074 57',
  // Unless it is zero, i and the answer extend the result.
  '6040 51 15 6062 57  80 82 52  6040 51 82 6020 01 52  90 6040 01 90',
  // Byte 0x62: the next i.
  '5b 6001 01 6028 56',
  // Byte 0x69: the end. Byte 0x74: a call failed.
  '5b 50 610100 90 03 610100 f3',
  '5b 6000 6000 fd',
]
  .join('')
  .replaceAll(' ', '')

const WORD = 64
/** Digits of the head of a result: three words. */
export const HEAD = 3 * WORD

/**
 * The call for the words `f(first)` to `f(end − 1)` of a contract, where `selector` is that of `f` with
 * one integer argument. Nodes limit the result as they limit code, to some 380 words that are not zero.
 */
export function scanCall(to: Address, selector: Hex, first: number, end: number): Call {
  const word = (value: number) => toHex(BigInt.asUintN(256, BigInt(value)), 32).slice(2)
  const args = [selector.slice(2).padEnd(WORD, '0'), to.slice(2).padStart(WORD, '0')]
  const data: Hex = `0x${PROGRAM}${args.join('')}${word(first)}${word(end)}`
  return { to, data, isProgram: true, mayFail: true }
}

/** The words that are not zero in an answer to {@link scanCall}, with their arguments. */
export function scannedWords(answer: Hex): readonly (readonly [number, Hex])[] {
  const count = Math.floor((answer.length - 2 - HEAD) / (2 * WORD))
  return Array.from({ length: count }, (_, n) => {
    const at = 2 + HEAD + 2 * WORD * n
    const argument = BigInt.asIntN(256, BigInt(`0x${answer.slice(at, at + WORD)}`))
    return [Number(argument), `0x${answer.slice(at + WORD, at + 2 * WORD)}`]
  })
}
