// What can become of a transaction after it was signed: one swap at most, and an answer that is true.

import type { Address, Hex } from '@braid-swap/core'
import { toHex } from '@braid-swap/core/advanced'
import { sendSigned } from '@braid-swap/devnet/testing'
import { numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Rules, rpcError } from '../testing/layeredWallet.js'
import {
  AMOUNT,
  borrowForFile,
  chain,
  cost,
  held,
  kinds,
  LOST,
  NOTHING,
  ONE_SWAP,
} from '../testing/sendWorld.js'
import { createSwapMemory, type SentSwap } from './memory.js'
import type { SwapProgress } from './prepare.js'

borrowForFile()

/** Codes and words behind which a swap was sent all the same. */
const AFTER_SENDING = [
  LOST(),
  rpcError(-32000, 'already known'),
  rpcError(-32000, 'nonce too low: next nonce 5, tx nonce 4'),
  rpcError(4900, 'disconnected'),
  rpcError(-32000, 'EOF'),
  rpcError(-32002, 'Resource unavailable'),
  rpcError(-32602, 'invalid params'),
  rpcError(-32700, 'Parse error'),
]

describe.each(kinds)('a swap that was sent by a %s', (kind) => {
  it.each(AFTER_SENDING)('and answered with %s is found, and not sent twice', async (error) => {
    const lose: Rules[string] = async (ask, params) => {
      await ask(params)
      throw error
    }
    const rules = { eth_sendRawTransaction: lose, eth_sendTransaction: lose }
    const { asked, ...outcome } = await cost({ kind, rules })
    expect(outcome).toMatchObject({ ...ONE_SWAP, done: { amountOut: AMOUNT } })
    expect(asked.filter((method) => /^(eth|wallet)_sendT/.test(method))).toHaveLength(
      kind === 'key' ? 0 : 1,
    )
  })

  it('sped up: the swap counts under its other hash', async () => {
    const outcome = await replacing(kind, ({ router: to, data }) => ({ to, data, value: AMOUNT }))
    expect(outcome).toMatchObject({ ...ONE_SWAP, done: { amountOut: AMOUNT } })
  })

  it('replaced: another transaction in its place is named, and nothing was swapped', async () => {
    const outcome = await replacing(kind, ({ from: to }) => ({ to, data: '0x', value: 0n }))
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

  it('that was refused in words other than 4001 is unknown, with those words', async () => {
    for (const code of [4100, -32002, -32003]) {
      const refuse = () => Promise.reject(rpcError(code, 'Please wait.'))
      const rules = { eth_sendRawTransaction: refuse, eth_sendTransaction: refuse }
      const { error, ...rest } = await cost({ kind, rules, unknownMs: 100 })
      expect(rest).toMatchObject({ ...NOTHING, code: 'OUTCOME_UNKNOWN' })
      expect(error).toMatchObject({ message: expect.stringMatching(/said: Please wait\.$/) })
    }
  })
})

it('a wallet’s 4001 is believed before a hash, and a node’s after we signed is not', async () => {
  const refuse = () => Promise.reject(rpcError(4001, 'no'))
  const rules = { eth_sendRawTransaction: refuse, eth_sendTransaction: refuse }
  expect(await cost({ kind: 'provider', rules })).toMatchObject({ ...NOTHING, code: 4001 })
  const signed = await cost({ kind: 'key', rules, unknownMs: 100 })
  expect(signed).toMatchObject({ ...NOTHING, code: 'OUTCOME_UNKNOWN' })
})

/** A swap in whose place its owner has another transaction mined, once the node has shown it. */
async function replacing(
  kind: (typeof kinds)[number],
  by: (sent: SentSwap) => { to: Address; data: Hex; value: bigint },
) {
  chain.mining = false
  let sent: SentSwap | undefined
  const onStep = (progress: SwapProgress) => {
    sent = progress.sent
  }
  const rules: Rules = {
    eth_getTransactionByHash: async (ask, params) => {
      const seen = (await ask(params)) as { readonly nonce: Hex } | null
      if (seen && sent && !chain.mining) {
        await sendSigned(chain.devnet, { ...by(sent), nonce: seen.nonce, gasPrice: 10n ** 11n })
        chain.mining = true
      }
      return seen
    },
  }
  return cost({ kind, rules, onStep })
}

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
    const { from, nonce = 0 } = sent
    other = { from, nonce: numberToHex(nonce), to: from, input: '0x', hash: toHex(2, 32) }
  }
  return { rules, onStep }
}

it.each([
  ['a hash that no node knows', () => toHex(0x77, 32)],
  ['an error', () => Promise.reject(rpcError(-32000, 'queued'))],
])(
  'behind an earlier transaction of its wallet, which answers %s, it is found',
  async (_, answer) => {
    const rules: Rules = {
      eth_getTransactionCount: (ask, [who]) => ask([who, 'latest']),
      eth_sendTransaction: async (ask, [tx]) => {
        await sendSigned(chain.devnet, { to: chain.devnet.wallet.address })
        setTimeout(() => void ask([tx]), 300)
        return answer()
      },
    }
    const outcome = await cost({ kind: 'provider', rules })
    expect(outcome).toMatchObject({ wrapped: AMOUNT, transactions: 2, done: { amountOut: AMOUNT } })
  },
)

it('a wallet that changes its chain at the last moment is told the chain, and refuses', async () => {
  const rules: Rules = {
    eth_sendTransaction: (_, [tx]) => {
      expect(tx).toMatchObject({ chainId: '0x3e7' })
      return Promise.reject(rpcError(-32602, 'chainId does not match'))
    },
  }
  const outcome = await cost({ kind: 'provider', rules, unknownMs: 100 })
  expect(outcome).toMatchObject({ ...NOTHING, code: 'OUTCOME_UNKNOWN' })
})

describe('with a memory, the same order again', () => {
  const refuse = () => Promise.reject(rpcError(-32000, 'EOF'))
  it('is not sold while the first is unknown, and returns it once it was performed', async () => {
    const memory = createSwapMemory()
    let late: (() => Promise<unknown>) | undefined
    const hold: Rules[string] = (ask, params) => {
      late ??= () => ask(params)
      return refuse()
    }
    const rules = { eth_sendTransaction: hold }
    const run = () => cost({ kind: 'provider', rules, memory, unknownMs: 100 })
    expect(await run()).toMatchObject({ ...NOTHING, code: 'OUTCOME_UNKNOWN' })
    const again = await run()
    expect(again).toMatchObject({ ...NOTHING, code: 'OUTCOME_UNKNOWN' })
    expect(again.asked).not.toContain('eth_sendTransaction')
    const before = await held()
    await late!()
    const found = await run()
    expect(found).toMatchObject({ done: { amountOut: AMOUNT } })
    expect(found.asked).not.toContain('eth_sendTransaction')
    expect((await held()).wrapped - before.wrapped).toBe(AMOUNT)
    const next = await cost({ kind: 'provider', memory })
    expect(next).toMatchObject({ ...ONE_SWAP, done: { amountOut: AMOUNT } })
  })

  it('at the same time is sold once', async () => {
    const [memory, before] = [createSwapMemory(), await held()]
    const runs = await Promise.all([1, 2].map(() => cost({ kind: 'key', memory })))
    expect(runs.some(({ done }) => done)).toBe(true)
    expect((await held()).nonce - before.nonce).toBe(1)
  })

  it('is free after its owner declined', async () => {
    const memory = createSwapMemory()
    const rules = { eth_sendTransaction: () => Promise.reject(rpcError(4001, 'no')) }
    expect(await cost({ kind: 'provider', rules, memory })).toMatchObject({ code: 4001 })
    expect(await cost({ kind: 'provider', memory })).toMatchObject(ONE_SWAP)
  })
})

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
