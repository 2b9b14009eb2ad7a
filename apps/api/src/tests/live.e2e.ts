import { type Address, type Hex, NATIVE } from '@braid-swap/core'
import type { Devnet } from '@braid-swap/devnet'
import { erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkGraph, checkRoutes } from '../testing/index.js'
import { type DevnetApi, startDevnetApi } from '../testing/startDevnetApi.js'
import type { QuoteBody, SwapBody } from '../wire/responses.js'

let served: DevnetApi
let devnet: Devnet
let get: DevnetApi['get']
let catchUp: DevnetApi['catchUp']

beforeAll(async () => {
  served = await startDevnetApi()
  ;({ devnet, get, catchUp } = served)
})
afterAll(() => served?.stop())

const addressOf = (symbol: string): Address =>
  devnet.tokens.find((token) => token.symbol === symbol)!.address

const balanceOf = (token: Address, owner: Address): Promise<bigint> =>
  token === NATIVE
    ? devnet.client.getBalance({ address: owner })
    : devnet.client.readContract({
        ...{ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] },
      })

/** Sends a transaction as the API built it and mines it; its receipt. */
async function send(tx: {
  readonly from: string
  readonly to: string
  readonly data: string
  readonly value: string
  readonly gasPrice: string
  readonly gas?: string
}) {
  const hash = await devnet.client.request({
    method: 'eth_sendTransaction',
    params: [
      {
        from: tx.from as Address,
        to: tx.to as Address,
        data: tx.data as Hex,
        value: `0x${BigInt(tx.value).toString(16)}`,
        gasPrice: `0x${BigInt(tx.gasPrice).toString(16)}`,
        ...(tx.gas && { gas: `0x${BigInt(tx.gas).toString(16)}` as const }),
      },
    ],
  })
  await devnet.mine()
  return devnet.client.getTransactionReceipt({ hash })
}

describe('the flow of the interface on a real chain', () => {
  const cases = [
    ['HYPE', 'USDC', 10n ** 18n],
    ['HYPE', 'UBTC', 2_000n * 10n ** 18n],
    ['USDC', 'HYPE', 250_000n * 10n ** 6n],
    ['UETH', 'PURR', 10n ** 17n],
    ['HYPE', 'WHYPE', 5n * 10n ** 18n],
    ['WHYPE', 'HYPE', 4n * 10n ** 18n],
  ] as const

  it.each(cases)('%s to %s: what was quoted is what arrives', async (from, to, wei) => {
    const [src, dst] = [from, to].map((s) => (s === 'HYPE' ? NATIVE : addressOf(s))) as [Hex, Hex]
    const wallet = devnet.wallet.address
    const amount = `${wei}`
    await catchUp()

    if (src !== NATIVE) {
      const params = { tokenAddress: src, walletAddress: wallet }
      const before = await get<{ allowance: string }>('/swap/v1/999/approve/allowance', params)
      expect(before.body.allowance).toBe('0')
      const approval = await get<{ to: string; data: string; value: string; gasPrice: string }>(
        '/swap/v1/999/approve/transaction',
        { tokenAddress: src, amount },
      )
      expect((await send({ from: wallet, ...approval.body })).status).toBe('success')
      const after = await get<{ allowance: string }>('/swap/v1/999/approve/allowance', params)
      expect(after.body.allowance).toBe(amount)
      await catchUp()
    }

    const quoted = await get<QuoteBody>('/swap/v1/999/quote', {
      ...{ src, dst, amount, includeGraph: 'true', includeRoutes: 'true' },
    })
    expect(quoted.status).toBe(200)
    const { dstAmount, graph = [], routes = [] } = quoted.body
    expect(checkGraph({ src, dst, amount, dstAmount, graph })).toEqual([])
    expect(checkRoutes({ src, dst, amount, dstAmount, graph, routes })).toEqual([])

    const swap = await get<SwapBody>('/swap/v1/999/swap', {
      ...{ src, dst, amount, from: wallet, slippage: '0', includeGas: 'true', includeMeta: 'true' },
    })
    expect(swap.status).toBe(200)
    expect(swap.body.dstAmount).toBe(dstAmount)
    expect(swap.body.meta).toMatchObject({ simulated: true, warnings: [] })

    const held = await balanceOf(dst, wallet)
    const receipt = await send(swap.body.tx)
    expect(receipt.status).toBe('success')
    const fee = dst === NATIVE ? receipt.gasUsed * receipt.effectiveGasPrice : 0n
    expect((await balanceOf(dst, wallet)) - held + fee).toBe(BigInt(dstAmount))
    expect(receipt.gasUsed).toBeLessThanOrEqual(BigInt(swap.body.gas ?? 0))
  })

  it.each([
    ['HYPE', 'USDC', 100n * 10n ** 6n],
    ['HYPE', 'UBTC', 3n * 10n ** 6n],
    ['HYPE', 'WHYPE', 10n ** 18n],
  ] as const)('%s to %s: at least the wanted amount arrives', async (from, to, wanted) => {
    const [src, dst] = [from, to].map((s) => (s === 'HYPE' ? NATIVE : addressOf(s))) as [Hex, Hex]
    const receiver: Address = `0x${'7e'.repeat(20)}`
    for (const slippage of ['0', '1']) {
      await catchUp()
      const { status, body } = await get<SwapBody>('/swap/v1/999/swap', {
        ...{ src, dst, dstAmountExact: `${wanted}`, from: devnet.wallet.address, receiver },
        ...{ slippage, includeMeta: 'true' },
      })
      expect(status).toBe(200)
      expect(body.tx.value).toBe(body.maxSrcAmount)
      const held = await balanceOf(dst, receiver)
      expect((await send(body.tx)).status).toBe('success')
      const arrived = (await balanceOf(dst, receiver)) - held
      expect(arrived).toBe(BigInt(body.dstAmount))
      expect(arrived).toBeGreaterThanOrEqual(wanted)
    }
  })

  it('a stale price is protected by the floor: the swap reverts instead of paying less', async () => {
    await catchUp()
    const order = { src: NATIVE, dst: addressOf('USDC'), amount: `${10n ** 21n}`, slippage: '0' }
    const [first, second] = [
      await get<SwapBody>('/swap/v1/999/swap', { ...order, from: devnet.wallet.address }),
      await get<SwapBody>('/swap/v1/999/swap', { ...order, from: devnet.wallet.address }),
    ]
    expect((await send(first.body.tx)).status).toBe('success')
    expect((await send(second.body.tx)).status).toBe('reverted')
  })
})

describe('the market of a real chain', () => {
  it('is followed: a trade changes the quote', async () => {
    const order = { src: NATIVE, dst: addressOf('USDC'), amount: `${10n ** 18n}` }
    await catchUp()
    const before = await get<QuoteBody>('/swap/v1/999/quote', order)
    await devnet.trade(30)
    await devnet.mine()
    await catchUp()
    const after = await get<QuoteBody>('/swap/v1/999/quote', order)
    expect(after.headers.get('x-block-number')).not.toBe(before.headers.get('x-block-number'))
    expect(after.headers.get('x-quote-id')).not.toBe(before.headers.get('x-quote-id'))
  })
})
