// Reads long rows of words from contracts in one `eth_call`: a program that runs on the node asks for each
// and returns those that are not zero. The bitmap of a pool has 35 to 6,931 words, nearly all zero; calls for
// each through Multicall3 were two thirds of the requests of a start.

import type { Address, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import type { Call } from './call.js'

/**
 * The program as creation code, because `eth_call` without a recipient returns what such code returns.
 * Rows follow it, of four words each: the selector, the contract, the first argument, and the end. It returns
 * the block's number, its parent's hash and its time, and then entries of an argument in four bytes and a
 * word: those of a row that are not zero, and at its end the end with zero, or the argument that failed.
 */
const PROGRAM = [
  // The head of the result to 0x100. Stack: the end of the result, and the row r in the code.
  '43 610100 52  6001 43 03 40 610120 52  42 610140 52  610160 6096',
  // Byte 0x18, the next row: until the code ends, r to 0x80, and its selector to 0, where the calldata begins.
  '5b 38 81 10 15 608b 57  6080 81 6080 39  6080 01  6080 51 6000 52',
  // Stack: and the argument i. Byte 0x32, the next argument: until i is the end.
  '60c0 51  5b 60e0 51 81 14 6076 57  80 6004 52',
  // Call with i, and the answer to 0x40.
  '6020 6040 6024 6000 60a0 51 5a fa  601f 3d 11 16 15 6076 57',
  // Unless it is zero, i and the answer extend the result.
  '6040 51 15 606f 57  80 60e0 1b 83 52  6040 51 83 6004 01 52  91 6024 01 91',
  // Byte 0x6f: the next i. Byte 0x76: i and zero end the row.
  '5b 6001 01 6032 56',
  '5b 60e0 1b 82 52  6000 82 6004 01 52  90 6024 01 90  6018 56',
  // Byte 0x8b: the end.
  '5b 50 610100 90 03 610100 f3',
]
  .join('')
  .replaceAll(' ', '')

const WORD = 64
/** Digits of the head of a result: three words. */
export const HEAD = 3 * WORD
/** Digits of an entry, and of the argument in it. */
const ENTRY = 8 + WORD
const ARGUMENT = 8

/** Words in a call: at most some 2 million gas, which every node allows. */
const SHORT = 500

/**
 * Calls for the words `f(first)` to `f(end − 1)` of a contract, where `selector` is that of `f` with one
 * integer argument of at most 32 bits.
 */
export function scanCalls(
  to: Address,
  selector: Hex,
  { first, end }: { readonly first: number; readonly end: number },
): readonly Call[] {
  return Array.from({ length: Math.ceil((end - first) / SHORT) }, (_, i) => {
    const from = first + i * SHORT
    const scan = { first: from, end: Math.min(from + SHORT, end) }
    return { to, data: selector, scan, mayFail: true }
  })
}

/** The words that are not zero in an answer to one of {@link scanCalls}, with their arguments. */
export function scannedWords(answer: Hex): readonly (readonly [number, Hex])[] {
  return entriesOf(answer.slice(2)).slice(0, -1)
}

function entriesOf(digits: string): readonly (readonly [number, Hex])[] {
  return Array.from({ length: Math.floor(digits.length / ENTRY) }, (_, n) => {
    const at = ENTRY * n
    const argument = Number.parseInt(digits.slice(at, at + ARGUMENT), 16) | 0
    return [argument, `0x${digits.slice(at + ARGUMENT, at + ENTRY)}`]
  })
}

/** The calls from `start` on with at most so many words, but at least one. */
export function takeScans(calls: readonly Call[], start: number, most: number): readonly Call[] {
  let [end, words] = [start, 0]
  while (end < calls.length) {
    words += wordsIn(calls[end]!)
    if (words > most && end > start) break
    end += 1
  }
  return calls.slice(start, end)
}

/** The number of words that a call asks for. */
export function wordsIn({ scan }: Call): number {
  return scan!.end - scan!.first
}

/** The program that makes these calls. */
export function scanProgram(calls: readonly Call[]): Hex {
  const word = (value: number) => toHex(BigInt.asUintN(256, BigInt(value)), 32).slice(2)
  const rows = calls.map(({ to, data, scan }) => {
    const [selector, contract] = [data.slice(2).padEnd(WORD, '0'), to.slice(2).padStart(WORD, '0')]
    return `${selector}${contract}${word(scan!.first)}${word(scan!.end)}`
  })
  return `0x${PROGRAM}${rows.join('')}`
}

/** The answer to each call in that of the program; `undefined` for a call whose contract did not answer. */
export function scanAnswers(answer: Hex, calls: readonly Call[]): readonly (Hex | undefined)[] {
  const digits = answer.slice(2 + HEAD)
  const entries = entriesOf(digits)
  let start = 0
  return calls.map(({ scan }) => {
    let last = start
    while (last < entries.length - 1 && BigInt(entries[last]![1]) !== 0n) last += 1
    const own: Hex = `0x${digits.slice(ENTRY * start, ENTRY * (last + 1))}`
    start = last + 1
    return entries[last]?.[0] === scan!.end ? own : undefined
  })
}
