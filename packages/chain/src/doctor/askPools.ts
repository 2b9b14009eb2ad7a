// Asks pools what they would pay, by a program that runs on the node in one `eth_call`. It needs no
// state override, no balance and no deployment: the program creates a contract that calls a pool and, in
// the pool's callback, reverts with the result. So a node that drops overrides answers as any other.

import { type Address, concatHex, type Hex, sizeOfHex, toHex } from '@braid-swap/core'
import { wordAt } from '../reads/abiWords.js'
import { HEAD } from '../reads/bitmapScan.js'
import type { BlockSeen, Call, CallResult } from '../reads/call.js'
import type { Header } from '../reads/headers.js'
import { createReader } from '../reads/multicall.js'
import { type Client, callGasOf } from '../transport/client.js'

/** A call of a pool by the program's contract, whose own address replaces one word of the calldata. */
export type Ask = {
  readonly to: Address
  readonly data: Hex
  /** The argument that becomes the contract's address, counted from 0. */
  readonly receiver: number
}

/** What a call came to. */
export type Told = {
  /** The bytes of the result, which may be more than the words. */
  readonly size: number
  /** The first three words of what was returned, or of what the callback or the pool reverted with. */
  readonly words: readonly [bigint, bigint, bigint]
  readonly seen: BlockSeen
}

/**
 * Asks each call apart from the others' effects, in few requests. A result that is not as expected is asked
 * again with all the gas of a request, because a lack of gas looks like a refusal. `undefined`: there is no
 * result even so, or the node refuses to run the call.
 */
export async function askPools(
  client: Client,
  at: Pick<Header, 'number' | 'hash'>,
  {
    asks,
    isExpected,
  }: {
    readonly asks: readonly Ask[]
    readonly isExpected: (told: Told, index: number) => boolean
  },
): Promise<readonly (Told | undefined)[]> {
  const read = createReader(client, at)
  const together = Number(callGasOf(client) / GAS_PER_ASK) || 1
  const chunks = chunksOf(asks, Math.min(together, MOST_TOGETHER))
  const first = await Promise.all(chunks.map((chunk) => askTogether(read, chunk)))
  return Promise.all(
    first.flat().map(async (told, i) => {
      if (together === 1 || (told && isExpected(told, i))) return told
      const [alone] = await askTogether(read, [asks[i]!])
      return alone
    }),
  )
}

/** Bytes of the words of one result in the answer, before which its size stands. */
const WORDS_PER_RESULT = 5
/** A swap over a few ticks fits; one that needs more is asked again alone. */
const GAS_PER_ASK = 1_000_000n
/** The program and its arguments may be 49,152 bytes (EIP-3860), with up to 900 for one call. */
const MOST_TOGETHER = 30

async function askTogether(
  read: (calls: readonly Call[]) => Promise<readonly CallResult[]>,
  asks: readonly Ask[],
): Promise<readonly (Told | undefined)[]> {
  const [answer] = await read([programCall(asks)])
  const { success, data, seen } = answer!
  if (!success || !seen) return asks.map(() => undefined)
  return asks.map((_, i) => {
    const start = HEAD / 64 + i * WORDS_PER_RESULT
    const [size, , ...words] = Array.from({ length: WORDS_PER_RESULT }, (_, n) =>
      wordAt(data, start + n),
    )
    // The contract returns a word that says whether the pool reverted, and then the result.
    const bytes = Number(size) - 32
    return bytes <= 0 ? undefined : { size: bytes, words: words as unknown as Told['words'], seen }
  })
}

function programCall(asks: readonly Ask[]): Call {
  // Each call may use its share of the gas that is left; some remains for returning the answer.
  const shares = asks.length === 1 ? 1 : asks.length + Math.ceil(asks.length / 6) + 1
  const data = concatHex(PROGRAM, toHex(BigInt(shares), 32), ...asks.flatMap(encode))
  return { to: asks[0]!.to, data, isProgram: true, mayFail: true }
}

function encode({ to, data, receiver }: Ask): readonly Hex[] {
  const length = 64 + sizeOfHex(data)
  const place = 4 + 32 * receiver
  return [toHex(BigInt(length), 32), toHex(BigInt(to), 32), toHex(BigInt(place), 32), data]
}

function chunksOf<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(all.length / size)
  return Array.from({ length: count }, (_, i) => all.slice(i * size, (i + 1) * size))
}

/** Bytes of a script, with the word at its end that tells it from an empty argument. */
export const SCRIPT_BYTES = 512

/**
 * The data that a lender passes back in its callback: the contract then pays `token` to `pair` by the first
 * call and makes the two others to the pair. It reverts with a word for each call: 1 if it succeeded.
 */
export function scriptOf(
  to: { readonly token: Address; readonly pair: Address },
  calls: { readonly pay: Hex; readonly first: Hex; readonly second: Hex },
): Hex {
  const { pay, first, second } = calls
  const body = concatHex(
    toHex(BigInt(to.token), 32),
    toHex(BigInt(to.pair), 32),
    pay,
    first,
    second,
  )
  const padding = '00'.repeat(SCRIPT_BYTES - 32 - sizeOfHex(body))
  return concatHex(body, `0x${padding}`, toHex(1n, 32))
}

/**
 * The contract. Called with `pool ++ place ++ calldata`, it puts its address at that place, calls the pool
 * and returns `success ++ returndata`. Anything else that calls it is a callback, of any name: it
 * reverts with its name and the first two arguments or, if the last word is not zero, runs the script before that word.
 */
const CONTRACT = [
  // Deploys the 159 bytes that follow.
  '609f 80 600b 6000 39 6000 f3',
  // if (calldata[0] >> 160) goto 0x37: a callback
  '6000 35 60a0 1c 610037 57',
  // memory[0…] = calldata[64…]; memory[calldata[32]] = this
  '6040 36 03 80 6040 6000 37  30 6020 35 52',
  // memory[0] = call(gas, calldata[0], value 0, memory[0…])
  '6000 6000 82 6000 6000 6000 35 5a f1 6000 52',
  // return memory[0] ++ returndata
  '3d 6000 6020 3e  3d 6020 01 6000 f3',
  // 0x37: if (the last word) goto 0x4d; revert(calldata[0…68])
  '5b 6020 36 03 35 61004d 57  6044 6000 6000 37 6044 6000 fd',
  // 0x4d: memory[0…] = the 416 bytes of calls; stack: the start of the script
  '5b 610200 36 03  6101a0 81 6040 01 6000 37',
  // The payment: 68 bytes to the token.
  '6000 6000 6044 6000 6000 85 35 5a f1 610200 52',
  // The swaps: 164 bytes each to the pair.
  '6000 6000 60a4 6044 6000 85 6020 01 35 5a f1 610220 52',
  '6000 6000 60a4 60e8 6000 85 6020 01 35 5a f1 610240 52',
  // revert with the three results
  '6060 610200 fd',
]

/**
 * The program. Its arguments follow it: the number of shares of gas, and for each call the length and the
 * bytes that the contract is called with. It returns the block's number, its parent's hash and its time,
 * and for each call five words: the size of what the contract returned, and its first four words.
 */
const PROGRAM = `0x${[
  // Creates the contract, 170 bytes from 0x75 on.
  '60aa 610075 6000 39  60aa 6000 6000 f0',
  // The arguments, from 0x11f on, to memory 0x4000.
  '61011f 38 03 80 61011f 614000 39',
  // The head of the answer to 0x80.
  '43 6080 52  6001 43 03 40 60a0 52  42 60c0 52',
  // Stack: the contract, the end of the arguments, the shares left, an argument p, a result q.
  '614000 01 614000 51 614020 60e0',
  // 0x39: if (p == end) goto 0x6d
  '5b 83 82 14 61006d 57',
  // call(gas / shares, contract, value 0, the bytes at p, 128 bytes of result after q)
  '6080 81 6020 01 83 51 84 6020 01 6000 89 88 5a 04 f1 50',
  // memory[q] = returndatasize; q += 160; p += 32 + length; shares -= 1; goto 0x39
  '3d 81 52  60a0 01  90 80 51 01 6020 01  91 6001 90 03 91 90  610039 56',
  // 0x6d: return the answer
  '5b 6080 90 03 6080 f3',
  ...CONTRACT,
]
  .join('')
  .replaceAll(' ', '')}` as Hex
