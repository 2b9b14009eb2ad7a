// What proves, after its deadline, that a swap was not performed, and how far back it is searched.

import { toHex } from '@braid-swap/core/advanced'
import { type Hex, numberToHex } from 'viem'
import { expect, it, vi } from 'vitest'
import {
  BLOCK,
  DEADLINE,
  follow,
  from,
  NOW,
  performed,
  ROUTER,
  sent,
  signed,
  stopClock,
  withBlock,
} from '../testing/followedSwap.js'
import type { Answers } from '../testing/nodeDouble.js'
import type { SentSwap } from './memory.js'

stopClock()

/** More than a minute after the deadline. */
const LATER = DEADLINE + 61
/** A node whose newest block is then, what the payer holds, and what that block has. */
const late = (balance: bigint, timestamp = LATER, transactions: object[] = []): Answers => ({
  ...withBlock(),
  eth_getBlockByNumber: (at) => ({
    ...{ number: at, hash: BLOCK, transactions },
    timestamp: numberToHex(timestamp),
  }),
  eth_getTransactionCount: () => '0x4',
  eth_getBalance: () => numberToHex(balance),
})
const OTHERS = { eth_getTransactionCount: () => '0x9' }
const HIDDEN = { hash: toHex(8, 32), from, input: sent.data, nonce: '0x4' }

it.each<readonly [string, Answers, number, Partial<SentSwap>, string | undefined]>([
  ['after it by a block and the clock', late(100n), LATER, {}, 'EXPIRED'],
  ['without a hash', late(94n), LATER, { hash: undefined as never }, 'EXPIRED'],
  ['by a block alone', late(100n), NOW, {}, undefined],
  ['by a block of the future', late(100n), DEADLINE + 1, {}, undefined],
  ['by the clock alone', late(100n, DEADLINE), LATER, {}, undefined],
  ['by less than nodes may be apart', late(100n, DEADLINE + 60), LATER, {}, undefined],
  ['if less is held, by all blocks', late(93n), LATER, {}, 'EXPIRED'],
  ['if others were sent, by all blocks', { ...late(100n), ...OTHERS }, LATER, {}, 'EXPIRED'],
  [
    'if others were sent and a block has it, which no log shows',
    { ...late(100n, LATER, [HIDDEN]), ...OTHERS },
    LATER,
    {},
    undefined,
  ],
  [
    'where no logs are served',
    { ...late(100n), eth_getLogs: () => Promise.reject(new Error('no')) },
    LATER,
    {},
    undefined,
  ],
  [
    'where blocks are missing',
    { ...late(100n), eth_blockNumber: () => '0x5' },
    LATER,
    {},
    undefined,
  ],
])('the deadline %s', async (_, answers, now, of, code) => {
  vi.setSystemTime(now * 1_000)
  const end = await follow(answers, of).endAfter(1_500)
  if (code) expect(end).toMatchObject({ code })
  else expect(end).toBeUndefined()
})

it('logs are asked for in wide spans, and in those of HyperEVM where a node refuses', async () => {
  vi.setSystemTime(LATER * 1_000)
  const spans: number[] = []
  const { endAfter } = follow({
    ...late(100n, NOW),
    eth_blockNumber: () => numberToHex(1_205),
    eth_getLogs: (filter) => {
      const { fromBlock, toBlock } = filter as { readonly fromBlock: Hex; readonly toBlock: Hex }
      spans.push(Number(toBlock) - Number(fromBlock) + 1)
      if (spans[0]! > 50 && spans.length === 1) throw new Error('query exceeds max block range')
      return []
    },
  })
  await endAfter(0)
  expect(spans).toEqual([1_000, ...Array(24).fill(50)])
})

it('a call of the router with other bytes is another swap; one of another contract may be ours', async () => {
  vi.setSystemTime(LATER * 1_000)
  const { node } = await performed()
  for (const [to, code] of [
    [ROUTER, 'EXPIRED'],
    [toHex(4, 20), 'OUTCOME_UNKNOWN'],
  ] as const) {
    const other = { ...(await signed({ to, data: '0x01' })), blockHash: BLOCK }
    const { eth_getLogs } = node
    const logs = () => eth_getLogs().map((log) => ({ ...log, transactionHash: other.hash }))
    const shown = { eth_getTransactionByHash: () => other, eth_getLogs: logs }
    const { endAfter } = follow({ ...node, ...late(100n), ...shown }, { hash: undefined as never })
    expect(await endAfter(181_000)).toMatchObject({ code })
  }
})
