// Several calls in one confirmation, by a wallet that answers as told.

import { toHex } from '@braid-swap/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rpcError } from '../testing/layeredWallet.js'
import { ACCOUNT, nodeDouble } from '../testing/nodeDouble.js'
import { LOST } from '../testing/sendWorld.js'
import { confirmCalls, sendTogether } from './calls.js'

const [HASH, OTHER, ID] = [toHex(1, 32), toHex(2, 32), toHex(3, 32)]
const calls = [
  { to: toHex(4, 20), data: '0x12', value: 0n },
  { to: toHex(5, 20), data: '0x34', value: 7n },
] as const

describe('sendTogether', () => {
  it('asks for all or nothing on the chain of the swap, and nothing else', async () => {
    const { client, asked } = nodeDouble({ wallet_sendCalls: () => ({ id: '0xabc' }) })
    const priced = calls.map((call) => ({ ...call, gas: 9n, maxFeePerGas: 9n }))
    expect(await sendTogether(client, priced, { chainId: 999, id: ID })).toBe('0xabc')
    expect(asked).toEqual([
      {
        method: 'wallet_sendCalls',
        params: [
          {
            ...{ atomicRequired: true, chainId: '0x3e7', from: ACCOUNT, id: ID, version: '2.0.0' },
            calls: [
              { to: calls[0].to, data: '0x12' },
              { to: calls[1].to, data: '0x34', value: '0x7' },
            ],
          },
        ],
      },
    ])
  })

  it('keeps its own name where the answer is lost, and throws a refusal', async () => {
    const send = (error: Error) => {
      const wallet_sendCalls = () => Promise.reject(error)
      return sendTogether(nodeDouble({ wallet_sendCalls }).client, calls, { chainId: 999, id: ID })
    }
    expect(await send(LOST())).toBe(ID)
    await expect(send(rpcError(4001, 'no'))).rejects.toMatchObject({
      cause: { code: 4001 },
    })
  })
})

describe('confirmCalls', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  const receipt = (transactionHash: string, gasUsed: string, data: string) => ({
    ...{ transactionHash, gasUsed, blockNumber: '0x9', status: '0x1', logs: [{ data }] },
  })
  const receipts = [receipt(OTHER, '0x10', '0x01'), receipt(HASH, '0x20', '0x02')]

  /** What follows a bundle whose wallet gives one answer after the other, and repeats the last. */
  function follow(...statuses: readonly (object | Error)[]) {
    const left = [...statuses]
    const { client, count } = nodeDouble({
      wallet_getCallsStatus: (id) => {
        expect(id).toBe(ID)
        const status = left.length > 1 ? left.shift() : left[0]
        if (status instanceof Error) throw status
        return { version: '2.0.0', id: ID, chainId: '0x3e7', atomic: true, ...status }
      },
    })
    let end: unknown
    const keep = (it: unknown) => {
      end = it
    }
    confirmCalls(client, ID, {}).then(keep, keep)
    const endAfter = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms)
      return end
    }
    return { endAfter, looks: () => count('wallet_getCallsStatus') }
  }

  it('looks once a second, over lost answers, and adds the gas and logs of all', async () => {
    const done = { status: 200, receipts }
    const { endAfter, looks } = follow({ status: 100 }, LOST(), { ...done, receipts: [] }, done)
    expect([await endAfter(2_500), looks()]).toEqual([undefined, 3])
    expect(await endAfter(500)).toMatchObject({
      ...{ transactionHash: HASH, blockNumber: 9n, gasUsed: 48n },
      logs: [{ data: '0x01' }, { data: '0x02' }],
    })
  })

  it('a bundle that failed swapped nothing; its last transaction is named if there is one', async () => {
    const failed = { code: 'REVERTED', message: expect.stringContaining('nothing was swapped') }
    expect(await follow({ status: 500, receipts }).endAfter(0)).toMatchObject({
      ...{ ...failed, details: { hash: HASH } },
    })
    expect(await follow({ status: 400 }).endAfter(0)).toMatchObject({ ...failed, details: {} })
  })

  it('nobody knows the end of one whose wallet is silent for three minutes', async () => {
    const { endAfter } = follow(LOST())
    expect(await endAfter(180_500)).toBeUndefined()
    expect(await endAfter(500)).toMatchObject({
      ...{ code: 'OUTCOME_UNKNOWN', hash: undefined },
      message: expect.stringMatching(/may have been sent.*does not say how 0x.*3 ended/),
    })
  })
})
