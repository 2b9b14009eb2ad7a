import { setTimeout as sleep } from 'node:timers/promises'
import type { Braid, SwapProgress } from '@braid-swap/client'
import { type Address, NATIVE, routerCallOf, swapCallOf } from '@braid-swap/core'
import { borrowDevnet, type Devnet } from '@braid-swap/devnet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PageConfig } from '../pageConfig.js'
import { clientOf, type Provider } from '../wallet/payer.js'
import { sendSwap } from './sendSwap.js'

const AMOUNT = 10n ** 18n
let devnet: Devnet
beforeAll(async () => {
  devnet = await borrowDevnet()
})
afterAll(() => devnet?.stop())

type Answer = (ask: () => Promise<unknown>) => Promise<unknown>

/** Wraps through the page's own path, with a wallet whose answers to `method` are changed. */
async function wrapBy(method = '', answer: Answer = (ask) => ask()) {
  const address = devnet.wallet.address.toLowerCase() as Address
  const request = (asked: { readonly method: string }) => {
    const ask = () => devnet.client.request(asked as never)
    return asked.method === method ? answer(ask) : ask()
  }
  const payer = {
    ...({ kind: 'wallet', address, canBatch: false } as const),
    client: clientOf({ request } as unknown as Provider),
  }
  const config = { chainId: 999, router: devnet.router, wrappedNative: devnet.wrappedNative }
  const { number, hash, timestamp } = await devnet.client.getBlock()
  const [src, dst] = [NATIVE, devnet.wrappedNative]
  const order = { tokenIn: src, tokenOut: dst, amountIn: AMOUNT }
  const deadline = BigInt(Math.min(Number(timestamp), Math.floor(Date.now() / 1_000))) + 1_000n
  const call = routerCallOf(
    { order, route: [], amountOut: AMOUNT },
    { wrappedNative: dst, slippagePpm: 0n, deadline },
  )
  const tx = { from: address, ...swapCallOf(devnet.router, call), gas: 200_000n, gasPrice: 1n }
  const braid = { swap: async () => ({ dstAmount: AMOUNT, tx }) } as unknown as Braid
  const agreed = {
    ...{ sale: { src, dst, amount: AMOUNT }, floor: AMOUNT, slippage: '0' },
    ...({ payBy: 'approval', block: { number, hash } } as const),
  }
  const said: SwapProgress[] = []
  const count = () => devnet.client.getTransactionCount({ address })
  const before = await count()
  let isDone = false
  const mining = (async () => {
    while (!isDone) await Promise.all([devnet.mine(), sleep(50)])
  })()
  const outcome = await sendSwap({ braid, config: config as PageConfig, payer }, agreed, (now) =>
    said.push(now),
  ).then(
    (sent) => ({ sent, code: undefined }),
    (error: { readonly code: string }) => ({ sent: undefined, code: error.code }),
  )
  isDone = true
  await mining
  return { ...outcome, said, mined: (await count()) - before }
}

describe('the page', () => {
  it('sends one swap, and reports what arrived', async () => {
    const { sent, said, mined } = await wrapBy()
    expect(sent).toMatchObject({ quoted: AMOUNT, received: AMOUNT })
    expect([sent!.after - sent!.before, mined]).toEqual([AMOUNT, 1])
    expect(said.map(({ step }) => step)).toEqual([
      'check',
      'build',
      'verify',
      'send',
      'send',
      'confirm',
    ])
  })

  it('finds a swap whose answer the wallet lost, and sends no second one', async () => {
    const { sent, mined } = await wrapBy('eth_sendTransaction', async (ask) => {
      await ask()
      throw new TypeError('fetch failed')
    })
    expect([sent?.received, mined]).toEqual([AMOUNT, 1])
  })

  it.each([
    ['declined', 4001, 'WALLET_REJECTED'],
    ['locked', 4100, 'WALLET_LOCKED'],
    ['busy', -32002, 'WALLET_BUSY'],
  ])('sends nothing where the wallet is %s, and says so', async (_, number, code) => {
    const refuse = () => Promise.reject(Object.assign(new Error('no'), { code: number }))
    const outcome = await wrapBy('eth_sendTransaction', refuse)
    expect(outcome).toMatchObject({ code, mined: 0 })
  })

  it('sends nothing on another chain, or on another network with its id', async () => {
    const elsewhere = await wrapBy('eth_chainId', async () => '0x1')
    expect(elsewhere).toMatchObject({ code: 'WRONG_CHAIN', mined: 0 })
    const other = await wrapBy('eth_getCode', async () => '0x')
    expect(other).toMatchObject({ code: 'ROUTER_UNVERIFIED', mined: 0 })
  })
})
