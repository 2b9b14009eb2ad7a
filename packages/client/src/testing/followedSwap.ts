// A swap that was handed over, nodes that show this or that of it, and a clock for those who follow it.

import { routerAbi } from '@braid-swap/contracts'
import { encodeRouterCall, NATIVE } from '@braid-swap/core'
import { toHex, ZERO_ADDRESS } from '@braid-swap/core/advanced'
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
import { afterEach, beforeEach, vi } from 'vitest'
import { confirmSwap } from '../send/confirm.js'
import type { SentSwap } from '../send/memory.js'
import { type Answers, nodeDouble } from './nodeDouble.js'

const account = privateKeyToAccount(toHex(7, 32))
export const from = account.address.toLowerCase() as Hex
export const [HASH, ROUTER, BLOCK] = [toHex(1, 32), toHex(3, 20), toHex(9, 32)]
/** Unix seconds. */
export const [NOW, DEADLINE] = [1_700_000_000, 1_700_000_600]
const call = {
  ...{ tokenIn: NATIVE, amountIn: 7n, tokenOut: toHex(5, 20), minAmountOut: 6n },
  ...{ receiver: ZERO_ADDRESS, deadline: BigInt(DEADLINE), executor: toHex(6, 20) },
  program: '0x00' as const,
}
export const sent: SentSwap = {
  ...{ id: toHex(2, 32), terms: 't', chainId: 999, from, router: ROUTER },
  ...{
    data: encodeRouterCall(call),
    quoted: '6',
    balance: '100',
    block: '5',
    count: 4,
    hash: HASH,
  },
}
export const OURS = { nonce: 4 } as const

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

/** A look is a second after the one before. */
const STEP_MS = 500

/** Viem imports its curves each time that it needs them, which no stopped clock waits for; Node loads in order. */
const modulesLoaded = () => import('viem')

/** What follows a swap at such a node, without any patience of the caller's own. */
export function follow(answers: Answers, of: Partial<SentSwap> = {}, raw?: Hex) {
  const node = nodeDouble({ ...ABSENT, ...answers })
  let end: unknown
  const keep = (it: unknown) => {
    end = it
  }
  confirmSwap(node.client, { ...sent, ...of }, {}, { raw }).then(keep, keep)
  const endAfter = async (ms: number) => {
    let left = ms
    do {
      await vi.advanceTimersByTimeAsync(Math.min(left, STEP_MS))
      for (
        let [calm, before] = [0, 0];
        calm < 3;
        calm = before === node.asked.length ? calm + 1 : 0
      ) {
        before = node.asked.length
        await modulesLoaded()
      }
      left -= STEP_MS
    } while (left > 0)
    return end
  }
  return { ...node, endAfter }
}

/** A transaction that the account has signed, as nodes show it. */
export async function signed(of: object) {
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

/** A node with these transactions in block 6, after one that our nonce is used. */
export const withBlock = (...transactions: readonly object[]): Answers => ({
  eth_blockNumber: () => '0x6',
  eth_getTransactionCount: () => '0x5',
  eth_getBlockByNumber: (at, isWhole) => ({
    ...{ number: at, hash: BLOCK, timestamp: numberToHex(NOW) },
    transactions: isWhole ? transactions : [],
  }),
})

/** A node with the swap in block 6, and the router's event of it in the logs. */
export async function performed({ amounts = [7n, 6n], receiver = from, payer = from } = {}) {
  const ours = { ...(await signed({ to: ROUTER, data: sent.data })), blockHash: BLOCK }
  const topics = encodeEventTopics({
    ...{ abi: routerAbi, eventName: 'Swap', args: { payer, receiver } },
  })
  const data = encodeAbiParameters(parseAbiParameters('address, address, uint256, uint256'), [
    ...([call.tokenIn, call.tokenOut, ...(amounts as [bigint, bigint])] as const),
  ])
  const log = { address: ROUTER, topics, data, transactionHash: ours.hash }
  const at = { transactionHash: ours.hash, blockHash: BLOCK, blockNumber: '0x6' }
  const receipt = { ...at, status: '0x1', gasUsed: '0x1', logs: [log] }
  const node = {
    ...withBlock(),
    eth_getTransactionByHash: (): object => ours,
    eth_getTransactionReceipt: () => receipt,
    eth_getLogs: () => [log],
    eth_getBlockByNumber: (number: unknown) => ({
      ...{ number, hash: BLOCK, timestamp: numberToHex(NOW), transactions: [ours.hash] },
    }),
  }
  return { ours, receipt, node, of: { hash: ours.hash } }
}

/** Starts a clock for each test, which only it moves. */
export function stopClock(): void {
  beforeEach(
    () =>
      void vi.useFakeTimers({
        ...{ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'], now: NOW * 1_000 },
      }),
  )
  afterEach(() => void vi.useRealTimers())
}
