// The ABI of Multicall3's `aggregate3`, written and read as text. A load makes tens of thousands of
// calls, and a general codec takes more time for them than the node takes to answer.

import type { Hex } from '@braid-swap/core'
import { AbiDecodingDataSizeTooSmallError, multicall3Abi } from 'viem'

/** A call of a batch; `allowFailure` false reverts the whole batch if the call fails. */
export type Aggregated = {
  readonly target: Hex
  readonly allowFailure: boolean
  readonly callData: Hex
}

/** The outcome of one call: the data that it returned, or that it reverted with. */
export type AggregateResult = { readonly success: boolean; readonly returnData: Hex }

const SELECTOR = '0x82ad56cb'
/** Hexadecimal digits of an ABI word. */
const WORD = 64

const ZEROS = '0'.repeat(WORD)
const word = (value: number) => value.toString(16).padStart(WORD, '0')
const LIST_OFFSET = word(32)
const CALL_DATA_OFFSET = word(96)
const NO = word(0)
const YES = word(1)

/** Calldata of `aggregate3((address target, bool allowFailure, bytes callData)[])`. */
export function encodeAggregate3(calls: readonly Aggregated[]): Hex {
  const offsets: string[] = []
  const tuples: string[] = []
  let offset = 32 * calls.length
  for (const { target, allowFailure, callData } of calls) {
    const digits = callData.length - 2
    const padding = (WORD - (digits % WORD)) % WORD
    offsets.push(word(offset))
    tuples.push(
      target.slice(2).toLowerCase().padStart(WORD, '0'),
      allowFailure ? YES : NO,
      CALL_DATA_OFFSET,
      word(digits / 2),
      callData.slice(2),
      ZEROS.slice(0, padding),
    )
    // Four words in front of the call's own data.
    offset += 128 + (digits + padding) / 2
  }
  const head = `${SELECTOR}${LIST_OFFSET}${word(calls.length)}` as const
  return `${head}${offsets.join('')}${tuples.join('')}`
}

/**
 * The results of `aggregate3`, `(bool success, bytes returnData)[]`. Throws viem's
 * AbiDecodingDataSizeTooSmallError if the answer ends before what it announces.
 */
export function decodeAggregate3(answer: Hex): readonly AggregateResult[] {
  /** The digits from byte `at` on; a size beyond the answer is also how a senseless offset shows. */
  const digits = (at: number, bytes: number) => {
    const start = 2 + 2 * at
    const end = start + 2 * bytes
    if (end <= answer.length) return answer.slice(start, end)
    throw new AbiDecodingDataSizeTooSmallError({
      data: answer,
      params: multicall3Abi[0].outputs,
      size: (answer.length - 2) / 2,
    })
  }
  const integer = (at: number) => Number(`0x${digits(at, 32)}`)
  const list = integer(0)
  const first = list + 32
  const results: AggregateResult[] = []
  for (let i = 0, length = integer(list); i < length; i++) {
    const tuple = first + integer(first + 32 * i)
    const bytes = tuple + integer(tuple + 32)
    results.push({
      success: integer(tuple) !== 0,
      returnData: `0x${digits(bytes + 32, integer(bytes))}`,
    })
  }
  return results
}
