// A node that lies, loses, delays or repeats at any call, drawn by a seed.
import { toHex } from '@braid-swap/core/advanced'
import { numberToHex } from 'viem'
import { PAYER, type startScriptedChain } from './scriptedChain.js'

/** Numbers from 0 to 1 by a seed (mulberry32). */
export function createDice(seed: number) {
  let state = seed >>> 0
  const roll = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const pick = <T>(from: readonly T[]): T => from[Math.floor(roll() * from.length)]!
  return { roll, pick, isOdd: (chance: number) => roll() < chance }
}
export type Dice = ReturnType<typeof createDice>

/** What is thrown by wallets and nodes. A wallet that sends and then answers 4001 is left out. */
const CODES = [4100, 4900, 5000, -1, -32000, -32002, -32005, -32602, -32603, -32700, undefined]
const ABSURD = [null, '0x', '0x0', '0x1', `0x${'ff'.repeat(32)}`, 'hello', {}, [], toHex(7, 32)]
const METHODS = [
  ...['eth_getBalance', 'eth_call', 'eth_getTransactionCount', 'eth_blockNumber', 'eth_getLogs'],
  ...['eth_getTransactionReceipt', 'eth_getTransactionByHash', 'eth_getBlockByNumber'],
]
export type Chain = ReturnType<typeof startScriptedChain>

/** An error as wallets and nodes throw it. */
export const fails = (dice: Dice) =>
  Object.assign(new Error('something is wrong'), { code: dice.pick(CODES) })
export const pass = (seconds: number) =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1_000))

/** Changes an answer: all of it, or one of its fields. */
function lie(dice: Dice, answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || dice.isOdd(0.3)) return dice.pick(ABSURD)
  if (Array.isArray(answer)) return answer.slice(1)
  const name = dice.pick(Object.keys(answer))
  return { ...answer, [name]: dice.pick(ABSURD) }
}

/** The lies that a node tells all the time, by an honest answer and the one before it. */
const LIES: Readonly<
  Record<string, (answer: Json, before: Json, dice: Dice, head: number) => unknown>
> = {
  // Any field, or all of it.
  absurd: (answer, _, dice) => lie(dice, answer),
  empty: (answer) => (Array.isArray(answer) ? [] : null),
  old: (_, before) => before,
  // As of some blocks ago: another node behind the same address.
  late: (answer, _, __, head) =>
    Array.isArray(answer) ? answer.filter((log) => Number(log.blockNumber) < head - 9) : null,
  failed: (answer) => answer && { ...answer, status: '0x0', logs: [] },
  more: (answer) => numberToHex(Number(answer) + 1),
  future: (answer) => answer && { ...answer, timestamp: numberToHex(4_000_000_000) },
  // A transaction that the payer never signed.
  forged: (answer) => {
    const invented = { from: PAYER, to: PAYER, input: '0x', hash: toHex(3, 32), chainId: '0x3e7' }
    const of = (nonce: number) => ({ ...invented, nonce: numberToHex(nonce) })
    return answer && { ...answer, transactions: [0, 1, 2, 3].map(of) }
  },
}
// biome-ignore lint/suspicious/noExplicitAny: an answer is of any type.
type Json = any

/** What lies all the time: one method, or what belongs to one story. */
const STORIES: readonly Readonly<Record<string, string>>[] = [
  ...METHODS.flatMap((method) => ['absurd', 'empty', 'old'].map((kind) => ({ [method]: kind }))),
  ...Array(4).fill({ eth_getTransactionReceipt: 'failed' }),
  ...Array(4).fill({ eth_getBlockByNumber: 'future' }),
  ...Array(6).fill({ eth_getBlockByNumber: 'forged', eth_getTransactionCount: 'more' }),
  ...Array(6).fill({ eth_getLogs: 'empty' }),
  ...Array(3).fill({
    ...{ eth_getLogs: 'late', eth_getBalance: 'old', eth_getTransactionCount: 'old' },
    ...{ eth_getTransactionByHash: 'late', eth_getTransactionReceipt: 'late' },
  }),
]

/** A node over the chain. It lies by a story from some time on, or fails and lies at any call now and then. */
export function startNode(dice: Dice, chain: Chain) {
  const last = new Map<string, unknown>()
  const [isLiar, chance] = [dice.isOdd(0.5), dice.pick([0, 0, 0.03, 0.15])]
  const [story, since] = [dice.pick(STORIES), chain.seconds() + dice.pick([0, 5, 40])]
  return async (method: string, params: readonly unknown[]): Promise<unknown> => {
    if (dice.isOdd(chance)) await pass(dice.roll() * 4)
    if (dice.isOdd(chance)) throw fails(dice)
    const answer = chain.ask(method, params)
    const before = last.has(method) ? last.get(method) : answer
    last.set(method, answer)
    if (isLiar) {
      const kind = chain.seconds() < since ? undefined : story[method]
      return kind === undefined
        ? answer
        : LIES[kind]!(answer, before, dice, Number(chain.ask('eth_blockNumber', [])))
    }
    if (dice.isOdd(chance)) throw fails(dice)
    if (dice.isOdd(chance)) return before
    return dice.isOdd(chance) ? lie(dice, answer) : answer
  }
}
