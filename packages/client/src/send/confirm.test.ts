// How long a transaction is waited for, and how far back it is searched.

import { toHex } from '@braid-swap/core'
import { numberToHex } from 'viem'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ACCOUNT, type Answers, nodeDouble } from '../testing/nodeDouble.js'
import { confirmTransaction } from './confirm.js'

const [HASH, OTHER] = [toHex(1, 32), toHex(2, 32)]
const sent = {
  ...{ chainId: 999, from: ACCOUNT, to: toHex(3, 20), data: '0x12' as const },
  ...{ hash: HASH, nonce: 4, block: '5' },
}

/** A node that knows nothing of a transaction. */
const ABSENT: Answers = {
  eth_chainId: () => '0x3e7',
  eth_getTransactionReceipt: () => null,
  eth_getTransactionByHash: () => null,
  eth_getTransactionCount: () => '0x4',
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** What follows a transaction at such a node, without any patience of the caller's own. */
function follow(answers: Answers, of: object = {}) {
  const node = nodeDouble({ ...ABSENT, ...answers })
  let end: unknown
  confirmTransaction(node.client, { ...sent, ...of }).then(
    (receipt) => {
      end = receipt
    },
    (error: unknown) => {
      end = error
    },
  )
  const endAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return end
  }
  return { ...node, endAfter }
}

it('one that the node does not know is given up after 20 seconds, with a look in each', async () => {
  const { endAfter, count } = follow({})
  expect(await endAfter(20_500)).toBeUndefined()
  expect(count('eth_getTransactionReceipt')).toBe(21)
  expect(await endAfter(500)).toMatchObject({
    ...{ code: 'OUTCOME_UNKNOWN', hash: HASH },
    message: expect.stringContaining('the node does not know it'),
  })
})

it('one that waits for a block is given up after three minutes', async () => {
  const tx = { hash: HASH, from: ACCOUNT, to: sent.to, input: sent.data, nonce: '0x4' }
  const { endAfter } = follow({ eth_getTransactionByHash: () => tx })
  expect(await endAfter(180_500)).toBeUndefined()
  expect(await endAfter(500)).toMatchObject({
    ...{ code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('it waits for a block') },
  })
})

it.each([
  ['misses one', '0x3', 'ours', 20, 'the node misses an earlier transaction of the account'],
  ['has them', '0x4', 'ours', 180, 'it waits for a block'],
  // A wallet may count what its node does not have yet.
  ['misses one', '0x3', 'the wallet’s', 180, 'it waits for a block'],
])('before the nonce the node %s (%s): one of %s is given up after %i s', async (...of) => {
  const [, count, key, seconds, why] = of
  const tx = { hash: HASH, from: ACCOUNT, to: sent.to, input: sent.data, nonce: '0x4' }
  const answers = {
    eth_getTransactionByHash: () => tx,
    eth_getTransactionCount: (_: unknown, at: unknown) => (at === 'pending' ? count : '0x0'),
  }
  const { endAfter } = follow(answers, key === 'ours' ? { raw: '0x02' } : {})
  expect(await endAfter(seconds * 1_000 + 500)).toBeUndefined()
  expect(await endAfter(500)).toMatchObject({
    ...{ code: 'OUTCOME_UNKNOWN', message: expect.stringContaining(why) },
  })
})

it('on another chain it waits longer than for one that the node does not know', async () => {
  const { endAfter, asked } = follow({ eth_chainId: () => '0x1' }, { raw: '0x02' })
  expect(await endAfter(180_500)).toBeUndefined()
  expect(await endAfter(500)).toMatchObject({
    message: expect.stringContaining('the wallet uses another chain'),
  })
  expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['eth_chainId']))
})

it('what a node says while its wallet is switched to another chain is not believed', async () => {
  let isAway = false
  const { endAfter } = follow({
    eth_chainId: () => (isAway ? '0x1' : '0x3e7'),
    eth_getTransactionReceipt: () => {
      isAway = true
      return null
    },
    eth_getTransactionCount: () => '0x5',
    eth_getBlockByNumber: () => ({ number: '0x6', transactions: [stranger] }),
  })
  expect(await endAfter(181_000)).toMatchObject({
    message: expect.stringContaining('the wallet uses another chain'),
  })
})

const stranger = { from: ACCOUNT, nonce: '0x4', to: ACCOUNT, input: '0x', hash: OTHER }
const copy = { ...stranger, nonce: '0x9', to: sent.to, input: sent.data }

it.each([
  ['is in its place', [{ ...stranger, nonce: '0x3' }, stranger], OTHER],
  [
    'is in its place, after another call of the router',
    [{ ...copy, input: '0x99' }, stranger],
    OTHER,
  ],
  ['is in its place, after the same call of another', [{ ...copy, to: ACCOUNT }, stranger], OTHER],
  ['does the same with another nonce', [copy, stranger], undefined],
  ['does so for another account', [{ ...copy, from: toHex(9, 20) }], undefined],
])('a transaction that %s is found in the blocks since', async (_, transactions, other) => {
  const { endAfter, asked } = follow({
    eth_getTransactionCount: () => '0x5',
    eth_getBlockByNumber: () => ({ number: '0x6', transactions }),
  })
  const end = await endAfter(0)
  if (other) expect(end).toMatchObject({ code: 'REPLACED', details: { hash: HASH, other } })
  else expect(end).toBeUndefined()
  const blocks = asked.filter(({ method }) => method === 'eth_getBlockByNumber')
  expect(blocks.map(({ params }) => params)).toEqual([
    ['latest', false],
    ['0x6', true],
  ])
})

it('600 blocks are searched, once each, and not while the nonce has not passed', async () => {
  let newest = 1_000
  let nonce = 4
  const { endAfter, asked } = follow({
    eth_getTransactionCount: () => numberToHex(nonce),
    eth_getBlockByNumber: (at) => ({
      number: at === 'latest' ? numberToHex(newest) : at,
      transactions: [],
    }),
  })
  const searched = () =>
    asked.flatMap(({ params: [at, isWhole] }) => (isWhole === true ? [Number(at)] : []))
  await endAfter(0)
  expect(searched()).toEqual([])
  nonce = 5
  await endAfter(1_000)
  expect([searched()[0], searched().length]).toEqual([400, 601])
  newest = 1_002
  await endAfter(1_000)
  expect(searched().slice(601)).toEqual([1_001, 1_002])
})

it('one of ours is sent again at each look that does not find it', async () => {
  const { endAfter, count } = follow({ eth_sendRawTransaction: () => HASH }, { raw: '0x02' })
  await endAfter(2_000)
  expect(count('eth_sendRawTransaction')).toBe(3)
})
