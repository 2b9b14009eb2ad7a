// The program of `askPools.ts`, run by its arguments on a scripted node: a test says what each call comes to.
import { type Address, type Hex, toHex } from '@braid-swap/core'
import type { Asked } from './scriptedNode.js'

/** Where the arguments of the program begin, in bytes. */
const ARGUMENTS = 0x11f

/** What a call comes to: the bytes of its result, and the first three words of it. */
export type ToldCall = { readonly size: number; readonly words: readonly bigint[] }

/** The program that a request runs, if it runs one. */
export function programIn({ method, params }: Asked): Hex | undefined {
  const { to, data } = Object(params[0]) as { readonly to?: Address; readonly data?: Hex }
  return method === 'eth_call' && !to && data!.length > 2 * ARGUMENTS ? data : undefined
}

/** Reads a text of hex digits from its start. */
export function readerOf(digits: string) {
  let at = 0
  const take = (bytes: number) => {
    at += 2 * bytes
    return digits.slice(at - 2 * bytes, at)
  }
  const word = () => BigInt(`0x${take(32)}`)
  return { take, word, isOver: () => at >= digits.length }
}

/** The answer of the program: the block, and five words for each call of a pool. */
export function answerProgram(
  { number, parentHash }: { readonly number: number; readonly parentHash: Hex },
  program: Hex,
  tell: (to: Address, data: Hex) => ToldCall,
): Hex {
  const args = readerOf(program.slice(2 + 2 * ARGUMENTS))
  args.word()
  const words = [BigInt(number), BigInt(parentHash), BigInt(1_000_000 + number)]
  while (!args.isOver()) {
    const length = Number(args.word())
    const to = toHex(args.word(), 20)
    args.word()
    const told = tell(to, `0x${args.take(length - 64)}`)
    words.push(BigInt(told.size) + 32n, 0n, ...told.words)
  }
  return `0x${words.map((one) => toHex(one, 32).slice(2)).join('')}`
}
