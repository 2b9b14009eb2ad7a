import type { Hex } from '@braid-swap/core'
import type { Load } from '../pools/loader.js'
import { callData } from '../reads/abiWords.js'
import type { Call } from '../reads/call.js'

/** Numbers as the words of an answer. */
export const words = (...values: readonly (bigint | number | Hex)[]): Hex =>
  callData('0x', ...values.map(BigInt))

/** The answers of contracts, by selector: words, or what they make of the arguments. `slot` is any word of storage. */
export type Answers = Record<string, Hex | ((args: Hex) => Hex)>

/** Gives the answer to a call, `0x` to one that has none. */
export const answering =
  (answers: Answers) =>
  ({ data, isSlot }: Call): Hex => {
    const given = answers[isSlot ? 'slot' : data.slice(0, 10)] ?? '0x'
    return typeof given === 'string' ? given : given(`0x${data.slice(10)}`)
  }

/** Runs a loader to its end, each of whose calls is answered. */
export function runLoad<T>(reads: Load<T>, answer: (call: Call) => Hex): T {
  let step = reads.next()
  while (!step.done) step = reads.next(step.value.map(answer))
  return step.value
}
