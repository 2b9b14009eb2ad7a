// What can become of a transaction after it was signed: one swap at most, and an answer that is true.

import { type Address, type Hex, toHex } from '@braid-swap/core'
import { numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Rules, rpcError } from '../testing/layeredWallet.js'
import {
  AMOUNT,
  borrowForFile,
  chain,
  cost,
  kinds,
  LOST,
  NOTHING,
  ONE_SWAP,
} from '../testing/sendWorld.js'
import type { SentSwap, SwapProgress } from './sendSwap.js'

borrowForFile()

describe.each(kinds)('a swap that was sent by a %s', (kind) => {
  it('a lost answer: the swap is found, and not sent twice', async () => {
    const lose: Rules[string] = async (ask, params) => {
      await ask(params)
      throw LOST()
    }
    const rules = { eth_sendRawTransaction: lose, eth_sendTransaction: lose }
    expect(await cost({ kind, rules })).toMatchObject({ ...ONE_SWAP, done: { amountOut: AMOUNT } })
  })

  it('an answer that is lost once, and then “already known” or “nonce too low”, is sent', async () => {
    for (const message of ['already known', 'nonce too low: next nonce 5, tx nonce 4']) {
      const refuse: Rules[string] = async (ask, params) => {
        await ask(params)
        throw rpcError(-32000, message)
      }
      const rules = { eth_sendRawTransaction: refuse, eth_sendTransaction: refuse }
      expect(await cost({ kind, rules })).toMatchObject({
        ...ONE_SWAP,
        done: { amountOut: AMOUNT },
      })
    }
  })

  it('sped up: the swap counts under its other hash', async () => {
    chain.mining = false
    const onStep = async ({ sent }: SwapProgress) => {
      if (!sent) return
      await replace(sent, { to: sent.to, data: sent.data, value: AMOUNT })
      chain.mining = true
    }
    const { done, ...rest } = await cost({ kind, onStep })
    expect(rest).toMatchObject(ONE_SWAP)
    expect(done?.hash).toMatch(/^0x/)
  })

  it('replaced: another transaction in its place is named, and nothing was swapped', async () => {
    chain.mining = false
    const onStep = async ({ sent }: SwapProgress) => {
      if (!sent) return
      await replace(sent, { to: chain.devnet.wallet.address, data: '0x', value: 0n })
      chain.mining = true
    }
    const outcome = await cost({ kind, onStep })
    expect(outcome).toMatchObject({ code: 'REPLACED', wrapped: 0n, transactions: 1 })
    expect(outcome.error).toMatchObject({ details: { other: expect.stringMatching(/^0x/) } })
  })

  it('reorganised: a receipt of a block that is gone does not count', async () => {
    let looks = 0
    const rules: Rules = {
      eth_getTransactionReceipt: async (ask, params) => {
        const receipt = (await ask(params)) as { readonly blockHash: Hex } | null
        return receipt && looks++ < 3 ? { ...receipt, blockHash: toHex(7, 32) } : receipt
      },
    }
    expect(await cost({ kind, rules })).toMatchObject({ ...ONE_SWAP, done: { amountOut: AMOUNT } })
    expect(looks).toBeGreaterThan(3)
  })

  it('restarted: a node that is gone is asked again, longer than one that denies', async () => {
    const unknownMs = 100
    let backMs: number | undefined
    const rules: Rules = {
      eth_getTransactionReceipt: async (ask, params) => {
        backMs ??= performance.now() + 3 * unknownMs
        if (performance.now() < backMs) throw LOST()
        return ask(params)
      },
    }
    expect(await cost({ kind, rules, unknownMs })).toMatchObject({
      ...{ ...ONE_SWAP, done: { amountOut: AMOUNT } },
    })
  })

  it('gone for good: the outcome is unknown, and the node is not said to deny it', async () => {
    const rules = { eth_getTransactionReceipt: () => Promise.reject(LOST()) }
    const outcome = await cost({ kind, rules, waitMs: 100 })
    expect(outcome.error).toMatchObject({
      ...{ code: 'OUTCOME_UNKNOWN', hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
      message: expect.stringContaining('unknown: the node does not answer'),
    })
    await chain.devnet.mine()
  })

  it('switched to another chain: what is mined there in its place says nothing', async () => {
    for (const looks of [5, Number.POSITIVE_INFINITY]) {
      const away = awayFor(looks)
      const outcome = await cost({ kind, ...away, ...(looks > 5 && { waitMs: 300 }) })
      if (looks === 5) expect(outcome).toMatchObject({ ...ONE_SWAP, done: { amountOut: AMOUNT } })
      else {
        expect(outcome.error).toMatchObject({
          ...{ code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('uses another chain') },
        })
      }
      await chain.devnet.mine()
    }
  })

  it('locked: a wallet that has to be opened first sends nothing', async () => {
    const locked = () => Promise.reject(rpcError(-32002, 'Request already pending. Please wait.'))
    const rules = { eth_sendRawTransaction: locked, eth_sendTransaction: locked }
    expect(await cost({ kind, rules })).toMatchObject({ ...NOTHING, code: -32002 })
  })

  it('a wallet or node that refuses sends nothing, and its own error says so', async () => {
    for (const code of [4001, 4100, -32003]) {
      const refuse = () => Promise.reject(rpcError(code, 'no'))
      const rules = { eth_sendRawTransaction: refuse, eth_sendTransaction: refuse }
      expect(await cost({ kind, rules })).toMatchObject({ ...NOTHING, code })
    }
  })
})

/** A wallet that is on another chain for some looks once the swap was sent. Our nonce is used there. */
function awayFor(looks: number) {
  let left = 0
  let other: object = {}
  const there = (answer: () => unknown): Rules[string] => {
    return (ask, params) => (left > 0 ? answer() : ask(params))
  }
  const block = () => ({ number: '0xfffffff', hash: toHex(1, 32), transactions: [other] })
  const rules: Rules = {
    eth_chainId: (ask, params) => (left-- > 0 ? '0x1' : ask(params)),
    eth_getTransactionReceipt: there(() => null),
    eth_getTransactionByHash: there(() => null),
    eth_getTransactionCount: there(() => '0xffff'),
    eth_getBlockByNumber: there(block),
  }
  const onStep = ({ sent }: SwapProgress) => {
    if (!sent) return
    left = looks
    const { from, nonce } = sent
    other = { from, nonce: numberToHex(nonce), to: from, input: '0x', hash: toHex(2, 32) }
  }
  return { rules, onStep }
}

/** Mines another transaction of the wallet in the place of one that waits. */
async function replace({ nonce }: SentSwap, by: { to: Address; data: Hex; value: bigint }) {
  const { address: from } = chain.devnet.wallet
  const fees = {
    maxFeePerGas: numberToHex(10n ** 11n),
    maxPriorityFeePerGas: numberToHex(10n ** 10n),
  }
  const tx = { from, ...by, value: numberToHex(by.value), nonce: numberToHex(nonce) }
  await chain.devnet.client.request({
    method: 'eth_sendTransaction',
    params: [{ ...tx, ...fees, gas: numberToHex(300_000) }],
  } as never)
}

describe('a transaction that never arrives', () => {
  it('is sent again, if we have signed it: the same one, so it cannot be mined twice', async () => {
    let times = 0
    const rules: Rules = {
      eth_sendRawTransaction: async (ask, params) => {
        if (times++ === 0) throw LOST()
        return ask(params)
      },
    }
    expect(await cost({ rules })).toMatchObject({ ...ONE_SWAP, done: { amountOut: AMOUNT } })
  })

  it.each([
    ['a hash', async () => toHex(0xd, 32), toHex(0xd, 32)],
    ['no hash', () => Promise.reject(LOST()), undefined],
  ])('is an unknown outcome, if the wallet gave %s', async (_, answer, hash) => {
    const outcome = await cost({ kind: 'provider', rules: { eth_sendTransaction: answer } })
    expect(outcome).toMatchObject({ ...NOTHING, code: 'OUTCOME_UNKNOWN', error: { hash } })
  })
})
