// Runs programs on the node: creation code in an `eth_call` without a recipient returns what it likes.

import type { Hex } from '@braid-swap/core'
import { callGasOf } from '../transport/client.js'
import { isRefusal } from '../transport/rpcErrors.js'
import { wordAt } from './abiWords.js'
import { HEAD, scanAnswers, scanProgram, takeScans, wordsIn } from './bitmapScan.js'
import type { Call, CallResult } from './call.js'
import { callParams, type Reading, readPinned, seenIn } from './pinned.js'

/** A program that fails, or that the node refuses to run, is a call that fails. */
export async function runProgram(reading: Reading, data: Hex): Promise<CallResult> {
  const { client, terms } = reading
  try {
    const answer = await readPinned(reading, (place) => {
      return client.request({ method: 'eth_call', params: callParams({ data }, place, terms) })
    })
    if (answer.length < 2 + HEAD) return { success: false, data: '0x' }
    const seen = seenIn([0, 1, 2].map((at) => wordAt(answer, at)))
    return { success: true, data: answer, seen }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { success: false, data: '0x' }
  }
}

/** Gas of one word of a scan: a call, a cold slot of 2,100, and room for a proxy. */
const SCANNED_GAS = 3_300n

/**
 * Scans as many contracts in one call as its gas allows, and half as many after a failure. A call that fails
 * alone ends it, because the node may run no programs at all: the others fail unasked.
 */
export async function readScans(
  reading: Reading,
  calls: readonly Call[],
): Promise<readonly CallResult[]> {
  const results: CallResult[] = []
  const failed: CallResult = { success: false, data: '0x' }
  let most = Number(callGasOf(reading.client) / SCANNED_GAS)
  while (results.length < calls.length) {
    const chunk = takeScans(calls, results.length, most)
    const { success, data, seen } = await runProgram(reading, scanProgram(chunk))
    if (success) {
      const answers = scanAnswers(data, chunk)
      const resultOf = (answer: Hex | undefined) =>
        answer === undefined ? failed : { success: true, data: answer, ...(seen && { seen }) }
      results.push(...answers.map(resultOf))
    } else if (chunk.length === 1) return calls.map((_, i) => results[i] ?? failed)
    else most = Math.floor(chunk.reduce((sum, call) => sum + wordsIn(call), 0) / 2)
  }
  return results
}
