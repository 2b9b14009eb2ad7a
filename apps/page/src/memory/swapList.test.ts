// @vitest-environment happy-dom
// The last swaps of a browser: a true sentence about each, and whose end is looked for.

import { setImmediate as turn } from 'node:timers/promises'
import { decodeRouterCall, encodeRouterCall } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { encodeAbiParameters, encodeEventTopics, parseAbi, parseAbiParameters } from 'viem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PageConfig } from '../pageConfig.js'
import { chain } from '../testing/chain.js'
import { shown } from '../testing/shown.js'
import { swapAt } from '../testing/swapAt.js'
import { clientOf, type Payer, type Provider } from '../wallet/payer.js'
import { swapMemory } from './follow.js'
import { SwapList } from './swapList.js'
import type { KeptSwap } from './swapMemory.js'

const OWN = swapAt(1_000).sent.from
const hash = toHex(1, 32)
const SWAP = parseAbi([
  'event Swap(address indexed payer, address indexed receiver, address tokenIn, address tokenOut, uint256 amountIn, uint256 amountOut)',
])
const config = { chainId: 999, router: OWN, demo: null, chain } as PageConfig

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-05-04T12:34:00') }))
afterEach(() => {
  vi.useRealTimers()
  localStorage.clear()
})

/** A wallet whose node answers; `asked` has the methods that it was asked. */
function payerOf(answers: Readonly<Record<string, () => unknown>> = {}, address = OWN) {
  const asked: string[] = []
  const request = async ({ method }: { readonly method: string }) => {
    asked.push(method)
    return answers[method]?.() ?? null
  }
  const client = clientOf({ request } as unknown as Provider)
  const payer: Payer = { kind: 'wallet', address, client, canBatch: false }
  return { payer, asked }
}

/** Keeps the swap as the page does. */
const keep = (swap: KeptSwap) => {
  const text = JSON.stringify(swap, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
  localStorage.setItem(`braid.swap.${swap.sent.id}`, text)
  window.dispatchEvent(new Event('storage'))
}
const list = async (swaps: readonly KeptSwap[], payer?: Payer) => {
  for (const swap of swaps) keep(swap)
  return shown(h(SwapList, { config, payer }))
}
const sentWith = (swap: KeptSwap, change: Partial<KeptSwap['sent']>): KeptSwap => ({
  ...swap,
  sent: { ...swap.sent, ...change },
})
const now = () => swapAt(Date.now())
/** A wallet whose node is silent. */
const silent = () => payerOf({ eth_chainId: () => Promise.reject(new Error('gone')) }).payer

describe('the list of swaps', () => {
  it('is absent without a swap of this router', async () => {
    expect((await list([])).root.innerHTML).toBe('')
    const { root } = await list([sentWith(now(), { router: toHex(9, 20) })])
    expect(root.innerHTML).toBe('')
  })

  it.each<readonly [string, () => KeptSwap, () => Payer | undefined, string, RegExp]>([
    [
      'waits for a block',
      () => sentWith(now(), { hash }),
      silent,
      'open',
      /^Sent\. Waiting until it is mined\.$/,
    ],
    ['is with the wallet', now, silent, 'open', /^Handed to the wallet\./],
    [
      'is of another wallet',
      now,
      () => undefined,
      'open',
      /Nobody knows yet how it ended\. Connect the wallet 0x000000…000070 to see/,
    ],
    [
      'is too late',
      () => swapAt(Date.now() - 2 * 3_600_000),
      silent,
      'open',
      /^Its deadline, 11:34, has passed\. Whether it was performed before is still being looked for/,
    ],
    [
      'reverted',
      () => swapAt(Date.now(), { is: 'not', code: 'REVERTED' }),
      silent,
      'lost',
      /^Reverted: nothing was swapped, only gas was paid\.$/,
    ],
    [
      'was replaced',
      () => swapAt(Date.now(), { is: 'not', code: 'REPLACED' }),
      silent,
      'lost',
      /^Another transaction took its place/,
    ],
    [
      'expired',
      () => swapAt(Date.now(), { is: 'not', code: 'EXPIRED' }),
      silent,
      'lost',
      /^Its deadline passed without it: nothing was swapped\.$/,
    ],
    [
      'failed otherwise',
      () => swapAt(Date.now(), { is: 'not', code: 'X' }),
      silent,
      'lost',
      /^Nothing was swapped\.$/,
    ],
  ])('of one that %s says so', async (_, make, payer, state, words) => {
    const { root, text, texts } = await list([make()], payer())
    expect([root.querySelector('li')!.className, text('.state')]).toEqual([
      ...[state, expect.stringMatching(words)],
    ])
    expect(texts('dd')).toEqual(['0.000006 T'])
    expect(root.querySelector('button') !== null).toBe(/^Its deadline, /.test(text('.state')!))
  })

  it('of one that arrived has its amounts, its time and its transaction', async () => {
    const done = { is: 'done', hash, received: 5n } as const
    const { root, texts, text } = await list([
      sentWith(swapAt(Date.now(), done), { hash: toHex(2, 32) }),
    ])
    expect([root.querySelector('li')!.className, text('.state')]).toEqual(['', undefined])
    expect([text('b'), texts('dd')]).toEqual(['0.000007 T → T', ['0.000005 T', '0.000006 T']])
    expect(text('time')).toBe('12:34')
    expect(root.querySelector('a')!.getAttribute('href')).toContain(hash)
    const day = await list([swapAt(Date.now() - 86_400_000, done)])
    expect(day.texts('time')).toEqual(['12:34', expect.stringMatching(/3 May.*12:34/)])
  })

  it('forgets one that its owner has looked for', async () => {
    const { root } = await list([swapAt(Date.now() - 2 * 3_600_000)])
    await act(async () => root.querySelector('button')!.click())
    expect([root.innerHTML, swapMemory.all()]).toEqual(['', []])
  })
})

describe('the end of a swap', () => {
  let swaps = 0
  /** The account of the test: what a test before may still follow, with what was loaded late, is of another one. */
  let from = OWN
  beforeEach(() => {
    from = toHex(1_000 + swaps, 20)
  })
  const mine = (answers = {}) => payerOf(answers, from)
  /** A swap that no test before has followed. */
  const fresh = () => sentWith(now(), { id: toHex(1_000_000 + swaps++, 32), from })
  const call = decodeRouterCall(now().sent.data)
  const waits = { eth_chainId: () => '0x3e7', eth_blockNumber: () => '0xc' }
  const block = toHex(2, 32)
  const event = () => ({
    address: OWN,
    topics: encodeEventTopics({ abi: SWAP, args: { payer: from, receiver: OWN } }),
    data: encodeAbiParameters(parseAbiParameters('address, address, uint256, uint256'), [
      ...([call.tokenIn, call.tokenOut, call.amountIn, call.minAmountOut] as const),
    ]),
    transactionHash: hash,
  })
  const mined = { hash, transactionHash: hash, blockHash: block, blockNumber: '0xd' }
  /** As a transaction of the account that swapped. */
  const performed = {
    ...{ eth_chainId: () => '0x3e7', eth_blockNumber: () => '0xd', eth_getLogs: () => [event()] },
    eth_getTransactionByHash: () => ({ ...mined, input: swapMemory.all()[0]!.sent.data }),
    eth_getTransactionReceipt: () => ({ ...mined, status: '0x1', gasUsed: '0x1', logs: [event()] }),
    eth_getBlockByNumber: () => ({ hash: block, timestamp: '0x1', transactions: [hash] }),
  }
  const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
  /** Lets time pass until it is so: what is loaded late takes turns of its own, on no clock. */
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await turn().then(() => pass(500))
  }

  it('is looked for, and kept', async () => {
    const { payer } = mine(performed)
    const { text } = await list([fresh()], payer)
    await pass(0)
    expect(text('.state')).toBeUndefined()
    expect(swapMemory.all()).toMatchObject([{ outcome: { is: 'done', hash, received: 5n } }])
  })

  it('is looked for again where nobody knew it, and under the wallet of then alone', async () => {
    const answers: Record<string, () => unknown> = { ...waits }
    const { payer, asked } = mine(answers)
    const { text, draw } = await list([fresh()], payer)
    await until(() => /^Nobody can say yet/.test(text('.state') ?? ''))
    const looks = asked.length
    await pass(3_000)
    expect(asked.length).toBe(looks)
    Object.assign(answers, performed)
    await until(() => text('.state') === undefined)
    const other = payerOf(performed, toHex(8, 20))
    await draw(h(SwapList, { config, payer: other.payer }))
    const later = fresh()
    keep(later)
    await pass(30_000)
    expect(other.asked).toEqual([])
    expect(swapMemory.all().find(({ sent }) => sent.id === later.sent.id)?.outcome).toBeUndefined()
  })

  it('is looked for a day later, too, when the mempool has forgotten it', async () => {
    const { payer } = mine(performed)
    const late = encodeRouterCall({
      ...call,
      deadline: BigInt(Math.floor(Date.now() / 1_000) - 86_400),
    })
    await list([sentWith(fresh(), { data: late })], payer)
    await pass(0)
    expect(swapMemory.all()).toMatchObject([{ outcome: { is: 'done', hash, received: 5n } }])
  })

  it('is not looked for once it is known', async () => {
    const { payer, asked } = mine(waits)
    await list([sentWith(swapAt(2_000, { is: 'not', code: 'X' }), { from })], payer)
    await pass(30_000)
    expect(asked).toEqual([])
  })

  it('is not looked for through a wallet that has left meanwhile', async () => {
    const { payer, asked } = mine(waits)
    const { draw } = await list([fresh()], payer)
    await pass(1_000)
    await draw(h(SwapList, { config, payer: undefined }))
    const looks = asked.length
    await pass(60_000)
    expect(asked.length).toBe(looks)
    expect(swapMemory.all()[0]?.outcome).toBeUndefined()
  })
})
