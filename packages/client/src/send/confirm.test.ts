// How long a swap is waited for, how far back it is searched, and what a node has to show.

import { routerAbi } from '@braid-swap/contracts'
import { encodeRouterCall, NATIVE, toHex, ZERO_ADDRESS } from '@braid-swap/core'
import {
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  keccak256,
  numberToHex,
  parseAbiParameters,
  parseTransaction,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Answers, nodeDouble } from '../testing/nodeDouble.js'
import { confirmSwap } from './confirm.js'
import type { SentSwap } from './memory.js'

const account = privateKeyToAccount(toHex(7, 32))
const from = account.address.toLowerCase() as Hex
const [HASH, ROUTER, BLOCK] = [toHex(1, 32), toHex(3, 20), toHex(9, 32)]
/** Unix seconds. */
const [NOW, DEADLINE] = [1_700_000_000, 1_700_000_600]
const call = {
  ...{ tokenIn: NATIVE, amountIn: 7n, tokenOut: toHex(5, 20), minAmountOut: 6n },
  ...{ receiver: ZERO_ADDRESS, deadline: BigInt(DEADLINE), executor: toHex(6, 20) },
  program: '0x00' as const,
}
const sent: SentSwap = {
  ...{ id: toHex(2, 32), terms: 't', chainId: 999, from, router: ROUTER },
  ...{ data: encodeRouterCall(call), quoted: '6', balance: '100', block: '5', hash: HASH },
}
const OURS = { nonce: 4, raw: '0x02' } as const

/** A node that knows nothing of a transaction. */
const ABSENT: Answers = {
  eth_chainId: () => '0x3e7',
  eth_blockNumber: () => '0x5',
  eth_getLogs: () => [],
  eth_getTransactionReceipt: () => null,
  eth_getTransactionByHash: () => null,
  eth_getTransactionCount: () => '0x4',
  eth_sendRawTransaction: () => HASH,
}

beforeEach(
  () =>
    void vi.useFakeTimers({
      ...{ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'], now: NOW * 1_000 },
    }),
)
afterEach(() => void vi.useRealTimers())

/** What follows a swap at such a node, without any patience of the caller's own. */
function follow(answers: Answers, of: Partial<SentSwap> = {}) {
  const node = nodeDouble({ ...ABSENT, ...answers })
  let end: unknown
  const keep = (it: unknown) => {
    end = it
  }
  confirmSwap(node.client, { ...sent, ...of }).then(keep, keep)
  const endAfter = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return end
  }
  return { ...node, endAfter }
}

/** A transaction that the account has signed, as nodes show it. */
async function signed(of: object) {
  const fields = { ...{ to: from, value: 0n, gas: 1n, nonce: 4, chainId: 999 }, ...of }
  const fees = { maxFeePerGas: 1n, maxPriorityFeePerGas: 0n, type: 'eip1559' } as const
  const raw = await account.signTransaction({ ...fields, ...fees })
  const { r, s, yParity, to, data = '0x', nonce = 0, chainId } = parseTransaction(raw)
  return {
    ...{ type: '0x2', from, to, input: data, hash: keccak256(raw), r, s, value: '0x0', gas: '0x1' },
    ...{ yParity: numberToHex(yParity!), v: numberToHex(yParity!), nonce: numberToHex(nonce) },
    ...{ maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x0', chainId: numberToHex(chainId!) },
    ...{ accessList: [], blockHash: null, blockNumber: null },
  }
}

it('one that the node does not know is given up after 20 seconds, with a look in each', async () => {
  const { endAfter, count } = follow({})
  expect(await endAfter(20_500)).toBeUndefined()
  expect(count('eth_getTransactionByHash')).toBe(21)
  expect(await endAfter(500)).toMatchObject({
    ...{ code: 'OUTCOME_UNKNOWN', hash: HASH, sent },
    message: expect.stringContaining('the node does not know it'),
  })
})

const pending = { hash: HASH, from, input: sent.data, nonce: '0x4' }

it('one that waits for a block is given up after three minutes', async () => {
  const { endAfter } = follow({ eth_getTransactionByHash: () => pending })
  expect(await endAfter(180_500)).toBeUndefined()
  expect(await endAfter(500)).toMatchObject({
    ...{ code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('it waits for a block') },
  })
})

it('on another chain it waits longer than for one that the node does not know', async () => {
  const { endAfter, asked } = follow({ eth_chainId: () => '0x1' }, OURS)
  expect(await endAfter(180_500)).toBeUndefined()
  expect(await endAfter(500)).toMatchObject({
    message: expect.stringContaining('the wallet uses another chain'),
  })
  expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(['eth_chainId']))
})

/** A node with these transactions in block 6, after one that our nonce is used. */
const withBlock = (...transactions: readonly object[]): Answers => ({
  eth_blockNumber: () => '0x6',
  eth_getTransactionCount: () => '0x5',
  eth_getBlockByNumber: (at, isWhole) => ({
    ...{ number: at, hash: BLOCK, timestamp: numberToHex(NOW) },
    transactions: isWhole ? transactions : [],
  }),
})

it('what a node says while its wallet is switched to another chain is not believed', async () => {
  const stranger = await signed({})
  let isAway = false
  const { endAfter } = follow(
    {
      ...withBlock(stranger),
      eth_chainId: () => (isAway ? '0x1' : '0x3e7'),
      eth_getTransactionByHash: () => {
        isAway = true
        return null
      },
    },
    OURS,
  )
  expect(await endAfter(181_000)).toMatchObject({
    message: expect.stringContaining('the wallet uses another chain'),
  })
})

const REPLACED = { code: 'REPLACED', details: { hash: HASH, other: expect.stringMatching(/^0x/) } }
it.each<readonly [string, object, object | undefined]>([
  ['has our nonce and is signed by its owner', {}, REPLACED],
  ['has another nonce', { nonce: 3 }, undefined],
  ['is of another chain', { chainId: 1 }, undefined],
  ['was not signed by the owner', { forged: { value: '0x1' } }, undefined],
])(
  'only a transaction that %s is in its place',
  async (_, { forged = {}, ...of }: { forged?: object }, end) => {
    const stranger = { ...(await signed(of)), chainId: '0x3e7', nonce: '0x4', ...forged }
    const shown = end
      ? stranger
      : { ...stranger, ...of, ...('chainId' in of && { chainId: '0x1' }) }
    const found = await follow(withBlock(shown), OURS).endAfter(1_500)
    if (end) expect(found).toMatchObject(end)
    else expect(found).toBeUndefined()
  },
)

it('the nonce of a wallet counts once its transaction was seen, and no guess before', async () => {
  const [ours, stranger] = [await signed({ to: ROUTER, data: sent.data }), await signed({})]
  const unseen = follow(withBlock(stranger), { hash: ours.hash })
  expect(await unseen.endAfter(21_000)).toMatchObject({ code: 'OUTCOME_UNKNOWN' })
  let looks = 0
  const eth_getTransactionByHash = () => (looks++ < 2 ? ours : null)
  const seen = follow({ ...withBlock(stranger), eth_getTransactionByHash }, { hash: ours.hash })
  expect(await seen.endAfter(4_000)).toMatchObject({ code: 'REPLACED' })
})

it('one that failed is seen twice, and never while the router reports a swap', async () => {
  const ours = { ...(await signed({ to: ROUTER, data: sent.data })), blockHash: BLOCK }
  const receipt = { transactionHash: ours.hash, blockHash: BLOCK, blockNumber: '0x6', logs: [] }
  const failed: Answers = {
    ...withBlock(),
    eth_getTransactionByHash: () => ours,
    eth_getTransactionReceipt: () => ({ ...receipt, status: '0x0' }),
    eth_getBlockByNumber: (at) => ({
      ...{ number: at, hash: BLOCK, timestamp: numberToHex(NOW), transactions: [ours.hash] },
    }),
  }
  const { endAfter } = follow(failed, { hash: ours.hash })
  expect(await endAfter(500)).toBeUndefined()
  expect(await endAfter(1_000)).toMatchObject({ code: 'REVERTED', details: { hash: ours.hash } })
  const args = { payer: from, receiver: from }
  const topics = encodeEventTopics({ abi: routerAbi, eventName: 'Swap', args })
  const amounts = encodeAbiParameters(parseAbiParameters('address, address, uint256, uint256'), [
    ...([call.tokenIn, call.tokenOut, 7n, 6n] as const),
  ])
  const log = { address: ROUTER, topics, data: amounts, transactionHash: ours.hash }
  const torn = follow({ ...failed, eth_getLogs: () => [log] }, { hash: ours.hash })
  expect(await torn.endAfter(181_000)).toMatchObject({
    ...{ code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('does not fit together') },
  })
})

/** A node whose newest block is after the deadline, and what the payer holds then. */
const late = (balance: bigint, timestamp = DEADLINE + 1): Answers => ({
  ...withBlock(),
  eth_getBlockByNumber: (at) => ({
    ...{ number: at, hash: BLOCK, transactions: [] },
    timestamp: numberToHex(timestamp),
  }),
  eth_getBalance: () => numberToHex(balance),
})

it.each<readonly [string, Answers, number, Partial<SentSwap>, string | undefined]>([
  ['after it by a block and the clock', late(100n), DEADLINE + 1, {}, 'EXPIRED'],
  ['without a hash', late(94n), DEADLINE + 1, { hash: undefined as never }, 'EXPIRED'],
  ['by a block alone', late(100n), NOW, {}, undefined],
  ['by the clock alone', late(100n, DEADLINE), DEADLINE + 1, {}, undefined],
  ['if the payer holds less by the amount', late(93n), DEADLINE + 1, {}, undefined],
  [
    'with our nonce free, whatever is held',
    { ...late(0n), eth_getTransactionCount: () => '0x4' },
    DEADLINE + 1,
    OURS,
    'EXPIRED',
  ],
  [
    'where no logs are served',
    { ...late(100n), eth_getLogs: () => Promise.reject(new Error('no')) },
    DEADLINE + 1,
    {},
    undefined,
  ],
  [
    'where blocks are missing',
    { ...late(100n), eth_blockNumber: () => '0x5' },
    DEADLINE + 1,
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
  vi.setSystemTime((DEADLINE + 1) * 1_000)
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

it('one of ours is sent again at each look that does not find it', async () => {
  const { endAfter, count } = follow({}, OURS)
  await endAfter(2_000)
  expect(count('eth_sendRawTransaction')).toBe(3)
})
